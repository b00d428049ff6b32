import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { purgedBefore } from "../../kernel/access/authorize.ts";
import { visibleBoard, visibleValues } from "../../kernel/access/visibility.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { iso, Page, pageOf, Timestamp } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

const kinds = ["board", "list", "card"] as const;
const Filter = Page.extend({
  type: z.enum(kinds).meta({ description: "Only things of this kind." }).optional(),
});
const Trashed = z
  .object({
    type: z.enum(kinds),
    publicId: z.string(),
    name: z.string(),
    boardPublicId: z.string(),
    deletedAt: Timestamp,
  })
  .meta({ id: "Trashed" });

type Row = Omit<z.infer<typeof Trashed>, "deletedAt"> & { deletedAt: Date; keys: string[] };

// What lies in something that is gone is gone with it.
const isThere = (thing: string) =>
  `(${thing}."deletedAt" IS NULL OR ${thing}."deletedAt" >= $9::timestamptz)`;
const part = (type: string, table: string, name: string, boardId: string, more = "") =>
  `SELECT '${type}' AS type, t."publicId", t.${name} AS name, b."publicId" AS "boardPublicId", t."deletedAt"
   FROM ${table} t JOIN boards b ON b.id = t.${boardId}
   WHERE t."workspaceId" = $1 AND t."deletedAt" >= $9::timestamptz AND ${isThere("b")} AND ${visibleBoard(2)}${more}`;
const inList = ` AND EXISTS (SELECT 1 FROM lists l WHERE l.id = t."listId" AND ${isThere("l")})`;
const statement = `SELECT *, ARRAY["deletedAt"::text, "publicId"] AS keys FROM (
    ${part("board", "boards", "name", "id")}
    UNION ALL ${part("list", "lists", "name", `"boardId"`)}
    UNION ALL ${part("card", "cards", "title", `"boardId"`, inList)}) trash
  WHERE type = ANY($5::text[]) AND ($6::text IS NULL OR ("deletedAt", "publicId") < ($6::timestamptz, $7))
  ORDER BY "deletedAt" DESC, "publicId" DESC LIMIT $8`;

/** What has been deleted in a workspace and can be restored, latest first. */
export const listTrash = query("workspace.trash", Filter)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/trash",
      "List what has been deleted",
      "The deleted boards, lists and cards that the caller may see, latest first. Each can be restored until the trash is emptied.",
    ),
  )
  .output(pageOf(Trashed))
  .query(async ({ ctx, input }) => {
    const { workspace, membership, db, deps } = ctx;
    const keyset = pagesByKeys(deps.seal, `trash of ${workspace.id}`);
    const [at = null, id = null] = keyset.after(input.cursor) ?? [];
    const found = await db.query<Row>(statement, [
      workspace.id,
      ...visibleValues(ctx),
      kinds.filter((kind) => membership.may.has(`${kind}:view`) && kind === (input.type ?? kind)),
      at,
      id,
      input.limit + 1,
      purgedBefore(deps.clock(), deps.config.TRASH_DAYS),
    ]);
    const { rows, nextCursor } = keyset.page(found, input.limit);
    return {
      items: rows.map(({ deletedAt, ...thing }) => ({
        ...thing,
        deletedAt: iso(deletedAt),
      })),
      nextCursor,
    };
  });
