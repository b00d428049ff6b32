import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";
import { Slug } from "../../contract/vocabulary/fields.ts";
import { networkOf } from "../../kernel/request/network.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Due } from "../cards/filters.ts";
import { hideMemberIds } from "../mentions.ts";
import { PublicBoard, publicContents } from "./public.ts";

const Selection = z.strictObject({
  workspaceSlug: Slug,
  boardSlug: Slug,
  due: Due.optional(),
  cardLimit: z
    .int()
    .min(1)
    .max(200)
    .default(50)
    .meta({ description: "The maximum number of cards per list." }),
});

type Row = {
  id: bigint;
  name: string;
  description: string | null;
  slug: string;
  workspaceName: string;
};

/** Reads a public board without authentication. */
export const getBoardBySlug = query("board.getBySlug", Selection)
  .meta(
    rest("Boards").get(
      "/workspaces-by-slug/{workspaceSlug}/boards/{boardSlug}",
      "Read a public board",
      "A board with `visibility` `public`: its texts, labels, dates, checklists and the latest " +
        "50 comments of each card. It has no ids, email addresses, attachments or archived " +
        "cards. At most 1,000 cards and about 4 MB are shown: the first of each list. 404 for " +
        "any other board. " +
        "`/workspaces/by-slug/{workspaceSlug}/boards/{boardSlug}` is an alias.",
      { errors: ["NOT_FOUND"], alias: "/workspaces/by-slug/{workspaceSlug}/boards/{boardSlug}" },
    ),
  )
  .output(PublicBoard)
  .query(async ({ ctx: { db, deps, requestMetadata }, input }) => {
    const workspaceSlug = input.workspaceSlug.toLowerCase();
    const boardSlug = input.boardSlug.toLowerCase();
    const [board] = await db.query<Row>(sql`
      SELECT b.id, b.name, b.description, b.slug, w.name AS "workspaceName"
      FROM boards b JOIN workspaces w ON w.id = b."workspaceId" AND w."deletedAt" IS NULL
      WHERE w.slug = ${workspaceSlug} AND b.slug = ${boardSlug}
        AND b.visibility = 'public' AND b."deletedAt" IS NULL`);
    if (board === undefined) throw notFound("board");
    const { id, ...fields } = board;
    const selection = { due: input.due, now: deps.clock() };
    const read = () => publicContents(db.query, id, selection, input.cardLimit);
    const contents = await deps.largeReads.run(`network ${networkOf(requestMetadata.ip)}`, read);
    return hideMemberIds({ ...fields, ...contents });
  });
