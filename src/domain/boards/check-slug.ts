import { z } from "zod";
import { BoardSlugInput, IsAvailable, IsReserved } from "../../contract/fields/shared.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { isReserved } from "../slugs.ts";
import { viewerOf } from "../../kernel/access/visibility.ts";
import { isTaken } from "./slug.ts";

const Availability = z
  .object({ isAvailable: IsAvailable, isReserved: IsReserved })
  .meta({ id: "BoardSlugAvailability", description: "Whether a slug is available for a board." });

/** Checks whether a slug is available to a board. */
export const checkBoardSlug = query(
  "board.checkSlugAvailability",
  z.strictObject({ slug: BoardSlugInput }),
)
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
    const isInUse = await isTaken(db.query, board.workspaceId, slug, board.id, viewerOf(ctx));
    return { isAvailable: !reserved && !isInUse, isReserved: reserved };
  });
