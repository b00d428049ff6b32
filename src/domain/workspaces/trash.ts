import { z } from "zod";
import { idOf } from "../../contract/vocabulary/ids.ts";
import { query } from "../../kernel/procedures/query.ts";
import { purgedBefore } from "../../kernel/access/trash-expiry.ts";
import { isVisible, viewerOf, type Viewer } from "../../kernel/access/visibility.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { iso, Page, pageOf, Timestamp } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

const kinds = ["board", "list", "card"] as const;
const TrashType = z
  .enum(kinds)
  .meta({ id: "TrashType", description: "The kind of a deleted resource." });
const Filter = Page.extend({
  type: TrashType.meta({ description: "Only resources of this type." }).optional(),
});
const Trashed = z
  .object({
    type: TrashType.meta({ examples: ["card"] }),
    publicId: idOf("card", "Public id of the board, list or card."),
    name: z
      .string()
      .meta({ description: "The name or title.", examples: ["Write the announcement"] }),
    boardPublicId: idOf("board"),
    deletedAt: Timestamp.meta({
      description: "When it was moved to the trash, in UTC. Null if it is not in the trash.",
      examples: ["2026-02-02T08:15:00.000Z"],
    }),
  })
  .meta({ id: "Trashed", description: "A deleted board, list or card that can be restored." });

type Row = Omit<z.infer<typeof Trashed>, "deletedAt"> & { deletedAt: Date; keys: string[] };

type TrashQuery = {
  workspaceId: bigint;
  viewer: Viewer;
  since: Date;
  types: (typeof kinds)[number][];
  after: { at: string | null; publicId: string | null };
  limit: number;
};

/** The deleted resources of a workspace whose parents are not purged. */
function statement({ workspaceId, viewer, since, types, after, limit }: TrashQuery): Sql {
  const isRestorable = (of: Sql) =>
    sql`(${of}."deletedAt" IS NULL OR ${of}."deletedAt" >= ${since}::timestamptz)`;
  const last = sql`(${after.at}::timestamptz, ${after.publicId}::text)`;
  const isAfter = after.at === null ? sql.empty : sql` AND (t."deletedAt", t."publicId") < ${last}`;
  const part = (type: Sql, table: Sql, name: Sql, boardId: Sql, more = sql.empty) =>
    sql`(SELECT ${type} AS type, t."publicId", t.${name} AS name,
        b."publicId" AS "boardPublicId", t."deletedAt"
      FROM ${table} t JOIN boards b ON b.id = t.${boardId}
      WHERE t."workspaceId" = ${workspaceId} AND t."deletedAt" >= ${since}::timestamptz
        AND ${isRestorable(sql`b`)} AND ${isVisible(viewer)}${more}${isAfter}
      ORDER BY t."deletedAt" DESC, t."publicId" DESC LIMIT ${limit})`;
  const inList = sql` AND EXISTS (SELECT 1 FROM lists l
    WHERE l.id = t."listId" AND ${isRestorable(sql`l`)})`;
  const parts = {
    board: part(sql`'board'`, sql`boards`, sql`name`, sql`id`),
    list: part(sql`'list'`, sql`lists`, sql`name`, sql`"boardId"`),
    card: part(sql`'card'`, sql`cards`, sql`title`, sql`"boardId"`, inList),
  };
  return sql`SELECT *, ARRAY["deletedAt"::text, "publicId"] AS keys FROM (
      ${sql.join(
        types.map((type) => parts[type]),
        sql` UNION ALL `,
      )}) trash
    ORDER BY "deletedAt" DESC, "publicId" DESC LIMIT ${limit}`;
}

/** Lists deleted resources of a workspace that can be restored, latest first. */
export const listTrash = query("workspace.trash", Filter)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/trash",
      "List deleted resources",
      "Returns the deleted boards, lists and cards of a workspace that the caller may see, most " +
        "recently deleted first. Each can be restored until it is purged.",
    ),
  )
  .output(pageOf(Trashed))
  .query(async ({ ctx, input }) => {
    const { workspace, membership, db, deps } = ctx;
    const keyset = pagesByKeys(deps.seal, `trash of ${workspace.id}`);
    const [at = null, id = null] = keyset.after(input.cursor) ?? [];
    const may = (type: (typeof kinds)[number]) =>
      membership.may.has(`${type}:view`) && type === (input.type ?? type);
    const types = kinds.filter(may);
    const trash = statement({
      workspaceId: workspace.id,
      viewer: viewerOf(ctx),
      since: purgedBefore(deps.clock(), deps.config.TRASH_DAYS),
      types,
      after: { at, publicId: id },
      limit: input.limit + 1,
    });
    const found = types.length === 0 ? [] : await db.query<Row>(trash);
    const { rows, nextCursor } = keyset.page(found, input.limit);
    return {
      items: rows.map(({ deletedAt, ...resource }) => ({
        ...resource,
        deletedAt: iso(deletedAt),
      })),
      nextCursor,
    };
  });
