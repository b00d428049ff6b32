import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import type { Board as BoardRow } from "../../platform/db/rows.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { BoardSummary } from "../../contract/resources/boards.ts";
import { viewBoard } from "../views/boards.ts";
import { sql } from "../../platform/db/sql.ts";

const Filter = Page.extend({
  type: z
    .enum(["regular", "template"])
    .meta({ description: "Only boards of this type." })
    .optional(),
  archived: z
    .boolean()
    .default(false)
    .meta({ description: "The archived boards instead of the others." }),
  favourite: z
    .boolean()
    .meta({ description: "Only the caller's favourites, or only the others." })
    .optional(),
});

type Row = BoardRow & { isFavourite: boolean; listCount: bigint; keys: string[] };

// A key that is bound to a board does not come here: it may do nothing on the workspace.
const statement = (
  id: bigint,
  userId: bigint,
  managesAll: boolean,
  memberId: bigint,
  archived: boolean,
  type: string | null,
  isFavourite: boolean | null,
  first: string | null,
  named: string | null,
  afterId: string | null,
  limit: number,
) =>
  sql`SELECT *, ARRAY[CASE WHEN "isFavourite" THEN '0' ELSE '1' END, lower(name), id::text] AS keys,
    (SELECT count(*) FROM lists l WHERE l."boardId" = b.id AND l."deletedAt" IS NULL
    AND l."archivedAt" IS NULL) AS "listCount"
  FROM (SELECT b.*, EXISTS (SELECT 1 FROM board_favourites f
  WHERE f."boardId" = b.id AND f."userId" = ${userId}) AS "isFavourite"
    FROM boards b WHERE b."workspaceId" = ${id} AND b."deletedAt" IS NULL
      AND (b.visibility <> 'restricted' OR ${managesAll} OR EXISTS (SELECT 1 FROM board_members bm
      WHERE bm."boardId" = b.id AND bm."memberId" = ${memberId}))
  ) b
  WHERE ("archivedAt" IS NOT NULL) = ${archived} AND (${type}::text IS NULL
  OR type::text = ${type}) AND (${isFavourite}::boolean IS NULL OR "isFavourite" = ${isFavourite})
    AND (${first}::text IS NULL
    OR (NOT "isFavourite", lower(name), id) > (${first} = '1', ${named}::text, ${afterId}::bigint))
  ORDER BY NOT "isFavourite", lower(name), id LIMIT ${limit}`;

/** The boards of a workspace that the caller may see: favourites first, then by name. */
export const listBoards = query("board.list", Filter)
  .meta(
    rest("Boards").get(
      "/workspaces/{workspacePublicId}/boards",
      "List the boards of a workspace",
      "The boards that the caller may see: the caller's favourites first, then by name. Restricted boards are left out for members who are not on them.",
    ),
  )
  .output(pageOf(BoardSummary))
  .query(async ({ ctx: { workspace, caller, membership, db, deps }, input }) => {
    const keyset = pagesByKeys(deps.seal, `boards of ${workspace.id}`);
    const [first = null, named = null, id = null] = keyset.after(input.cursor) ?? [];
    const found = await db.query<Row>(
      statement(
        workspace.id,
        caller.userId,
        membership.may.has("workspace:manage"),
        membership.id,
        input.archived,
        input.type ?? null,
        input.favourite ?? null,
        first,
        named,
        id,
        input.limit + 1,
      ),
    );
    const { rows, nextCursor } = keyset.page(found, input.limit);
    const items = rows.map((row) => ({
      ...viewBoard(row),
      isFavourite: row.isFavourite,
      listCount: Number(row.listCount),
    }));
    return { items, nextCursor };
  });
