import { z } from "zod";
import { idOf } from "../../contract/vocabulary/ids.ts";
import { query } from "../../kernel/procedures/query.ts";
import { purgedBefore } from "../../kernel/access/trash-expiry.ts";
import { isVisible, viewerOf, type Viewer } from "../../kernel/access/visibility.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { iso, Page, pageOf, Timestamp } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";

/** The kinds of resources in the trash, and what a reader of each needs. */
const needs = {
  board: "board:view",
  list: "list:view",
  card: "card:view",
  field: "board:view",
  fieldOption: "board:view",
} as const satisfies Record<string, Permission>;
type Kind = keyof typeof needs;
const kinds = ["board", "list", "card", "field", "fieldOption"] as const satisfies Kind[];
const TrashType = z
  .enum(kinds)
  .meta({ id: "TrashType", description: "The kind of a deleted resource." });
const Filter = Page.extend({
  type: TrashType.meta({ description: "Only resources of this type." }).optional(),
});
const Trashed = z
  .object({
    type: TrashType.meta({ examples: ["card"] }),
    publicId: idOf("card", "Public id of the resource."),
    name: z
      .string()
      .meta({ description: "The name or title.", examples: ["Write the announcement"] }),
    boardPublicId: idOf("board"),
    fieldPublicId: idOf("field", "Public id of the field of an option. Null for others.")
      .nullable()
      .meta({ examples: [null] }),
    deletedAt: Timestamp.meta({
      description: "When it was moved to the trash, in UTC. Null if it is not in the trash.",
      examples: ["2026-02-02T08:15:00.000Z"],
    }),
  })
  .meta({ id: "Trashed", description: "A deleted resource that can be restored." });

type Row = Omit<z.infer<typeof Trashed>, "deletedAt"> & { deletedAt: Date; keys: string[] };

type TrashQuery = {
  workspaceId: bigint;
  viewer: Viewer;
  since: Date;
  types: Kind[];
  after: { at: string | null; publicId: string | null };
  limit: number;
};

/** The deleted resources of a workspace whose parents are not purged. */
function statement({ workspaceId, viewer, since, types, after, limit }: TrashQuery): Sql {
  const isRestorable = (of: Sql) =>
    sql`(${of}."deletedAt" IS NULL OR ${of}."deletedAt" >= ${since}::timestamptz)`;
  const last = sql`(${after.at}::timestamptz, ${after.publicId}::text)`;
  const isAfter = after.at === null ? sql.empty : sql` AND (t."deletedAt", t."publicId") < ${last}`;
  const part = (type: Sql, table: Sql, name: Sql, boardId: Sql, condition = sql.empty) =>
    ofBoard(type, sql`${table} t JOIN boards b ON b.id = t.${boardId}`, name, sql`NULL`, condition);
  const ofBoard = (type: Sql, from: Sql, name: Sql, fieldId: Sql, condition: Sql) =>
    sql`(SELECT ${type} AS type, t."publicId", t.${name} AS name,
        b."publicId" AS "boardPublicId", ${fieldId} AS "fieldPublicId", t."deletedAt"
      FROM ${from}
      WHERE t."workspaceId" = ${workspaceId} AND t."deletedAt" >= ${since}::timestamptz
        AND ${isRestorable(sql`b`)} AND ${isVisible(viewer)}${condition}${isAfter}
      ORDER BY t."deletedAt" DESC, t."publicId" DESC LIMIT ${limit})`;
  const inList = sql` AND EXISTS (SELECT 1 FROM lists l
    WHERE l.id = t."listId" AND ${isRestorable(sql`l`)})`;
  const parts = {
    board: part(sql`'board'`, sql`boards`, sql`name`, sql`id`),
    list: part(sql`'list'`, sql`lists`, sql`name`, sql`"boardId"`),
    card: part(sql`'card'`, sql`cards`, sql`title`, sql`"boardId"`, inList),
    field: part(sql`'field'`, sql`custom_fields`, sql`name`, sql`"boardId"`),
    fieldOption: ofBoard(
      sql`'fieldOption'`,
      sql`custom_field_options t JOIN custom_fields f ON f.id = t."fieldId"
        JOIN boards b ON b.id = f."boardId"`,
      sql`name`,
      sql`f."publicId"`,
      sql` AND ${isRestorable(sql`f`)}`,
    ),
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
      "Returns the deleted boards, lists, cards and custom fields of a workspace that the caller " +
        "may see, most recently deleted first. Each can be restored until it is purged. An option " +
        "of a field comes back when `field.update` names it again.",
    ),
  )
  .output(pageOf(Trashed))
  .query(async ({ ctx, input }) => {
    const { workspace, membership, db, deps } = ctx;
    const keyset = pagesByKeys(deps.seal, `trash of ${workspace.id}`);
    const [at = null, id = null] = keyset.after(input.cursor) ?? [];
    const may = (type: Kind) => membership.may.has(needs[type]) && type === (input.type ?? type);
    const types = kinds.filter(may);
    const trash = statement({
      workspaceId: workspace.id,
      viewer: viewerOf(ctx),
      since: purgedBefore(deps.clock(), deps.config.TRASH_DAYS),
      types,
      after: { at, publicId: id },
      limit: input.limit + 1,
    });
    const trashRows = types.length === 0 ? [] : await db.query<Row>(trash);
    const { rows, nextCursor } = keyset.page(trashRows, input.limit);
    return {
      items: rows.map(({ deletedAt, ...resource }) => ({
        ...resource,
        deletedAt: iso(deletedAt),
      })),
      nextCursor,
    };
  });
