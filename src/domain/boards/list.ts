import { z } from "zod";
import { BoardType } from "../../contract/vocabulary/enums.ts";
import { query } from "../../kernel/procedures/query.ts";
import type { Board as BoardRow } from "../../platform/db/rows.ts";
import { alsoNamed } from "../../contract/vocabulary/other-names.ts";
import { Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { isVisible, viewerOf, type Viewer } from "../../kernel/access/visibility.ts";
import { sql } from "../../platform/db/sql.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { BoardEntry } from "../../contract/resources/boards.ts";
import { byName } from "../presenters/by-name.ts";
import { showBoard } from "../presenters/boards.ts";

const Filter = Page.extend({
  type: BoardType.meta({ description: "Only boards of this type." }).optional(),
  archived: z
    .boolean()
    .default(false)
    .meta({ description: "Only archived boards, instead of the others." }),
  favourite: alsoNamed(
    z
      .boolean()
      .meta({
        description:
          "Only the caller's favourites, or only the other boards. Also accepted as `favorite`.",
      })
      .optional(),
    "favorite",
  ),
  withLists: z
    .boolean()
    .default(false)
    .meta({ description: "Includes the lists and labels of each board." }),
});

type Row = BoardRow & { isFavourite: boolean; listCount: bigint; keys: string[] } & Pick<
    z.infer<typeof BoardEntry>,
    "lists" | "labels"
  >;

type Filtered = {
  workspaceId: bigint;
  viewer: Viewer;
  userId: bigint;
  archived: boolean;
  type: string | null;
  favourite: boolean | null;
  withLists: boolean;
  after: (string | null)[];
  limit: number;
};

/** SQL: the lists and labels of the board `b`. */
const parts = sql`, (SELECT coalesce(json_agg(json_build_object('publicId', l."publicId",
      'name', l.name, 'index', l.index) ORDER BY l.index), '[]')
    FROM (SELECT *, row_number() OVER (ORDER BY position) - 1 AS index FROM lists
      WHERE "boardId" = b.id AND "deletedAt" IS NULL AND "archivedAt" IS NULL) l) AS lists,
  (SELECT coalesce(json_agg(json_build_object('publicId', la."publicId", 'name', la.name,
      'colourCode', la."colourCode") ORDER BY la.name, la."publicId"), '[]')
    FROM labels la WHERE la."boardId" = b.id AND la."deletedAt" IS NULL) AS labels`;

// The name of the last board is looked up: a cursor with a long name would be too long itself.
const statement = ({ after: [first = null, id = null], ...filter }: Filtered) =>
  sql`SELECT *, ARRAY[CASE WHEN "isFavourite" THEN '0' ELSE '1' END, id::text] AS keys,
    (SELECT count(*) FROM lists l WHERE l."boardId" = b.id AND l."deletedAt" IS NULL
      AND l."archivedAt" IS NULL) AS "listCount" ${filter.withLists ? parts : sql.empty}
  FROM (SELECT b.*, EXISTS (SELECT 1 FROM board_favourites f
      WHERE f."boardId" = b.id AND f."userId" = ${filter.userId}) AS "isFavourite"
    FROM boards b WHERE b."workspaceId" = ${filter.workspaceId} AND b."deletedAt" IS NULL
      AND ${isVisible(filter.viewer)}) b
  WHERE ("archivedAt" IS NOT NULL) = ${filter.archived}
    AND (${filter.type}::text IS NULL OR type::text = ${filter.type})
    AND (${filter.favourite}::boolean IS NULL OR "isFavourite" = ${filter.favourite})
    AND (${first}::text IS NULL
      OR (NOT "isFavourite", ${byName(sql`name`)}, id) > (${first} = '1',
        (SELECT ${byName(sql`a.name`)} FROM boards a WHERE a.id = ${id}::bigint), ${id}::bigint))
  ORDER BY NOT "isFavourite", ${byName(sql`name`)}, id LIMIT ${filter.limit}`;

/** Lists the boards of a workspace that the caller can see. */
export const listBoards = query("board.list", Filter)
  .meta(
    rest("Boards").get(
      "/workspaces/{workspacePublicId}/boards",
      "List the boards of a workspace",
      "Returns the boards of a workspace that the caller can see, favourites first, then by " +
        "name. A restricted board is visible to its members and to callers with " +
        "`workspace:manage`.",
    ),
  )
  .output(pageOf(BoardEntry))
  .query(async ({ ctx, input }) => {
    const { workspace, caller, db, deps } = ctx;
    const keyset = pagesByKeys(deps.seal, `boards of ${workspace.id}`);
    const boardRows = await db.query<Row>(
      statement({
        workspaceId: workspace.id,
        viewer: viewerOf(ctx),
        userId: caller.userId,
        archived: input.archived,
        type: input.type ?? null,
        favourite: input.favourite ?? null,
        withLists: input.withLists,
        after: keyset.after(input.cursor) ?? [],
        limit: input.limit + 1,
      }),
    );
    const { rows, nextCursor } = keyset.page(boardRows, input.limit);
    const items = rows.map((row) => ({
      ...showBoard(row),
      workspacePublicId: workspace.publicId,
      isFavourite: row.isFavourite,
      listCount: Number(row.listCount),
      ...(input.withLists ? { lists: row.lists, labels: row.labels } : {}),
    }));
    return { items, nextCursor };
  });
