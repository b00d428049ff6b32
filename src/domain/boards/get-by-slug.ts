import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { notFound } from "../../platform/errors.ts";
import { Slug } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Due } from "../cards/filters.ts";
import { PublicBoard, publicContents, withoutIds } from "./public.ts";
import { sql } from "../../platform/db/sql.ts";

const Wanted = z.strictObject({
  workspaceSlug: Slug,
  boardSlug: Slug,
  due: Due.optional(),
  cardLimit: z
    .int()
    .min(1)
    .max(200)
    .default(50)
    .meta({ description: "The most cards of each list." }),
});

type Row = {
  id: bigint;
  name: string;
  description: string | null;
  slug: string;
  workspaceName: string;
};

const statement = (workspaceSlug: string, boardSlug: string) => sql`
  SELECT b.id, b.name, b.description, b.slug, w.name AS "workspaceName"
  FROM boards b JOIN workspaces w ON w.id = b."workspaceId" AND w."deletedAt" IS NULL
  WHERE w.slug = ${workspaceSlug} AND b.slug = ${boardSlug} AND b.visibility = 'public'
    AND b."deletedAt" IS NULL`;

/** A public board, for anybody. */
export const getBoardBySlug = query("board.getBySlug", Wanted)
  .meta(
    rest("Boards").get(
      "/workspaces-by-slug/{workspaceSlug}/boards/{boardSlug}",
      "Read a public board",
      "A board whose visibility is `public`, for anybody: its texts, labels, dates, checklists and the latest fifty comments of each card. No ids, no addresses, no attachments, nothing that is archived. Any other board is not found. `/workspaces/by-slug/{workspaceSlug}/boards/{boardSlug}` is the same.",
      { errors: ["NOT_FOUND"], alias: "/workspaces/by-slug/{workspaceSlug}/boards/{boardSlug}" },
    ),
  )
  .output(PublicBoard)
  .query(async ({ ctx: { db, deps }, input }) => {
    const [workspaceSlug, boardSlug] = [input.workspaceSlug, input.boardSlug];
    const [board] = await db.query<Row>(
      statement(workspaceSlug.toLowerCase(), boardSlug.toLowerCase()),
    );
    if (board === undefined) throw notFound("board");
    const { id, description, ...shown } = board;
    const wanted = { due: input.due, now: deps.clock() };
    return {
      ...shown,
      description: withoutIds(description),
      ...(await publicContents(db.query, id, wanted, input.cardLimit)),
    };
  });
