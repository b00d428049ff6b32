import type { z } from "zod";
import type { Query } from "../../platform/db/query.ts";
import type { Place } from "../../kernel/positions.ts";
import { Index, PublicId } from "../../contract/vocabulary/fields.ts";
import { sql } from "../../platform/db/sql.ts";

/** Where a list goes: at most one of the three. */
export const listPlace = {
  index: Index.optional(),
  beforeListPublicId: PublicId.optional(),
  afterListPublicId: PublicId.optional(),
};

type Fields = z.infer<z.ZodObject<typeof listPlace>>;

/** At most one of index, beforeListPublicId and afterListPublicId. */
export const oneListPlace = (fields: Fields) =>
  [fields.index, fields.beforeListPublicId, fields.afterListPublicId].filter(
    (value) => value !== undefined,
  ).length <= 1;

/** What `oneListPlace` says to an input that names two. */
export const oneListPlaceFault = {
  error: "At most one of index, beforeListPublicId and afterListPublicId may be given",
  path: ["index"],
};

/** The place that an input names, or undefined when it names none. */
export function placeOfList(fields: Fields): Place | undefined {
  const { index, beforeListPublicId, afterListPublicId } = fields;
  if (beforeListPublicId !== undefined) return { before: beforeListPublicId };
  if (afterListPublicId !== undefined) return { after: afterListPublicId };
  return index === undefined ? undefined : { index };
}

const statement = (boardId: bigint, position: string) =>
  sql`SELECT count(*) AS index FROM lists
  WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL AND "archivedAt" IS NULL
  AND position < ${position}`;

/** The index of a place among the lists of a board that are not archived. */
export async function indexOfList(
  query: Query,
  boardId: bigint,
  position: string,
): Promise<number> {
  const [row] = await query<{ index: bigint }>(statement(boardId, position));
  return Number(row?.index ?? 0);
}
