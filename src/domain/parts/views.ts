import { builtIn, customFieldId } from "../../contract/filter/fields.ts";
import type { FilterTree, FilterValue } from "../../contract/filter/tree.ts";
import { tablesOf } from "../../contract/fields/part.ts";
import { boardParts } from "../../contract/resources/board-parts.ts";
import { groupingIn, groupingText } from "../../contract/resources/views.ts";
import { checkLimit } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { insertRows, jsonOf } from "../../platform/db/insert-rows.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { View } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { contentOf, type ViewContent } from "../presenters/views.ts";

/** The ids of a copy. */
export type NewIds = {
  /** The id of the copy; the same id if it names nothing that was copied. */
  idOf: (id: string) => string;
  /** Whether the value of a custom field is the id of an option or a member. */
  isNamed: (value: string) => boolean;
};

const isTexts = (value: FilterValue): value is string[] =>
  typeof value === "object" && typeof value[0] === "string";

/** What a view says of its cards, with the ids of a copy of what it names. */
export function withNewIds(
  { boards, filter, sortBy, groupBy }: ViewContent,
  { idOf, isNamed }: NewIds,
): ViewContent {
  const fieldOf = (name: string) => {
    const id = customFieldId(name);
    return id === undefined ? name : `fields.${idOf(id)}`;
  };
  const ofTree = (tree: FilterTree): FilterTree => {
    if ("and" in tree) return { and: tree.and.map(ofTree) };
    if ("or" in tree) return { or: tree.or.map(ofTree) };
    if ("not" in tree) return { not: ofTree(tree.not) };
    const { field, op, value } = tree;
    const kind = builtIn(field)?.kind;
    const hasIds = kind === "id" || kind === "ids";
    const isCustom = kind === undefined;
    const valueOf = (text: string) =>
      text !== "me" && (hasIds || (isCustom && isNamed(text))) ? idOf(text) : text;
    const leaf = { field: fieldOf(field), op };
    if (value === undefined) return leaf;
    if (typeof value === "string") return { ...leaf, value: valueOf(value) };
    return { ...leaf, value: isTexts(value) ? value.map(valueOf) : value };
  };
  const withNewField = ({ field, byName }: ReturnType<typeof groupingIn>) =>
    groupingText({ field: fieldOf(field), byName });
  return {
    boards: boards.map(idOf),
    filter: filter === null ? null : ofTree(filter),
    sortBy: sortBy.map(({ field, order }) => ({ field: fieldOf(field), order })),
    groupBy: groupBy === null ? null : withNewField(groupingIn(groupBy)),
  };
}

/** The internal ids of copies by those of their sources, by table. */
type Copies = ReadonlyMap<string, ReadonlyMap<bigint, bigint>>;
type Owner = { workspaceId: bigint; boardId: bigint; createdById: bigint };

/** The tables of what a view can name on a board. */
const tables = ["boards", "cards", ...tablesOf(boardParts).map(([table]) => table)];

/**
 * Copies the views of a board to its copy, and returns them. Their lists, labels, fields,
 * options and cards are those of the copy.
 */
export async function copyViews(
  tx: UnitOfWork,
  sourceId: bigint,
  owner: Owner,
  copies: Copies,
): Promise<View[]> {
  const views = await tx.query<View>(sql`SELECT * FROM views
    WHERE "boardId" = ${sourceId} AND "deletedAt" IS NULL ORDER BY id`);
  if (views.length === 0) return [];
  await checkLimit(tx, "views", owner.workspaceId, views.length);
  const newIds = await readNewIds(tx, copies, namedIds(views.map(contentOf)));
  const ids = {
    idOf: (id: string) => newIds.get(id) ?? id,
    isNamed: (value: string) => newIds.has(value),
  };
  const rows = views.map((view) => ({
    ...owner,
    publicId: publicId(),
    name: view.name,
    ...withNewIds(contentOf(view), ids),
    layout: view.layout,
    createdAt: tx.now,
    updatedAt: tx.now,
    version: 1,
  }));
  await tx.copied.add(rows.map((row) => ({ bytes: jsonOf(row).length })));
  return insertRows<View>(tx.query, "views", rows, sql`RETURNING *`);
}

/** All ids that views may name. */
function namedIds(contents: ViewContent[]): string[] {
  const publicIds = new Set<string>();
  const idOf = (id: string) => (publicIds.add(id), id);
  for (const content of contents) withNewIds(content, { idOf, isNamed: () => true });
  return [...publicIds];
}

/** Finds the public ids of the copies by the public ids of their sources. */
async function readNewIds(
  { query }: UnitOfWork,
  copies: Copies,
  publicIds: string[],
): Promise<Map<string, string>> {
  const pairs = tables.map((name) => {
    const ids = copies.get(name) ?? new Map<bigint, bigint>();
    const table = sql.identifier(name);
    return sql`SELECT source."publicId" AS source, copy."publicId" AS copy
      FROM unnest(${[...ids.keys()]}::bigint[], ${[...ids.values()]}::bigint[]) AS pair(source, copy)
      JOIN ${table} source ON source.id = pair.source AND source."publicId" = ANY(${publicIds}::text[])
      JOIN ${table} copy ON copy.id = pair.copy`;
  });
  const rows = await query<{ source: string; copy: string }>(sql.join(pairs, sql` UNION ALL `));
  return new Map(rows.map(({ source, copy }) => [source, copy]));
}
