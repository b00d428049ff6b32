import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { Slug } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { isReserved } from "../slugs.ts";
import { viewerOf } from "../../kernel/access/visibility.ts";
import { isTaken } from "./slug.ts";

const Availability = z
  .object({ isAvailable: z.boolean(), isReserved: z.boolean() })
  .meta({ id: "BoardSlugAvailability" });

/** Checks whether a slug is available to a board. */
export const checkBoardSlug = query("board.checkSlugAvailability", z.strictObject({ slug: Slug }))
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}/check-slug-availability",
      "Check a board's slug",
      "Returns whether a slug is available for a board. Slugs are unique among the boards of a " +
        "workspace that are not deleted, ignoring case. The board's own slug counts as " +
        "available. Boards that the caller cannot see do not count, because their slugs have " +
        "random suffixes.",
    ),
  )
  .output(Availability)
  .query(async ({ ctx, input }) => {
    const { board, db } = ctx;
    const { slug } = input;
    const isOwn = slug.toLowerCase() === board.slug.toLowerCase();
    const reserved = !isOwn && isReserved(slug);
    const taken = await isTaken(db.query, board.workspaceId, slug, board.id, viewerOf(ctx));
    return { isAvailable: !reserved && !taken, isReserved: reserved };
  });
