import { builtIn } from "../../contract/filter/fields.ts";
import type { SortKey } from "../../contract/filter/sort.ts";
import { testOf } from "../../contract/filter/test-of.ts";
import type { FilterLeaf, FilterTree } from "../../contract/filter/tree.ts";
import type { BoardId } from "./contents-sql.ts";
import { conditionsOf, filteringOf, type CardSelection } from "../cards/filters.ts";
import { compileFilter, isCustomValue, labelIds, memberIds } from "../filters/compile.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** The most cards that are sorted. Of more, a page is read in its order. */
const maxCandidates = 1_000;
/** The most conditions that cards are looked up by. */
const maxLookups = 3;

/** SQL: the cards with one of some values of a field, by its index. */
const lookups: Readonly<
  Record<string, (values: string[], boardId: BoardId, selection: CardSelection) => Sql>
> = {
  publicId: (ids) => sql`SELECT c.id FROM cards c WHERE c."publicId" = ANY(${ids}::text[])`,
  labels: (ids, boardId) => sql`SELECT cl."cardId" AS id FROM card_labels cl
    WHERE cl."labelId" = ANY (ARRAY(${labelIds(ids)} AND la."boardId" = ${boardId}))`,
  members: (ids, _, { archived }) => sql`SELECT cm."cardId" AS id FROM card_members cm
    WHERE cm."memberId" = ANY (ARRAY(${memberIds(ids)}))
      ${archived ? sql.empty : sql`AND cm."openDueDate" IS NOT NULL`}`,
  claim: (ids) => sql`SELECT c.id FROM cards c
    WHERE c."claimedById" = ANY (ARRAY(${memberIds(ids)}))`,
  listPublicId: (ids, boardId) => sql`SELECT c.id FROM lists l
    JOIN cards c ON c."listId" = l.id AND c."deletedAt" IS NULL
    WHERE l."boardId" = ${boardId} AND l."publicId" = ANY(${ids}::text[])`,
};

/** Fields whose conditions the index of a board finds. */
const indexed = ["dueDate", "priority", "createdAt", "updatedAt"];

const isLeaf = (tree: FilterTree): tree is FilterLeaf => "field" in tree;

/** SQL: the cards that conditions find by an index, the narrowest kind of condition first. */
function lookupsOf(sort: readonly SortKey[], boardId: BoardId, selection: CardSelection): Sql[] {
  const { lists, due } = selection;
  const filtering = filteringOf(selection);
  const order = sort[0]?.field ?? "";
  const leaves = conditionsOf(selection).filter(isLeaf);
  if (lists !== undefined) leaves.push({ field: "listPublicId", op: "isAnyOf", value: lists });
  const found = (name: string, leaf: FilterLeaf): Sql | undefined => {
    const field = leaf.field === name ? builtIn(name) : undefined;
    if (field === undefined) return undefined;
    const { test, isNegated } = testOf(leaf, field, filtering);
    if (isNegated || "isEmpty" in test) return undefined;
    if (!indexed.includes(name))
      return "anyOf" in test
        ? lookups[name]?.(test.anyOf.map(String), boardId, selection)
        : undefined;
    if (name === order) return undefined;
    return sql`SELECT c.id FROM cards c
      WHERE c."boardId" = ${boardId} AND c."deletedAt" IS NULL
        AND ${compileFilter(leaf, filtering)}`;
  };
  const customs = leaves.flatMap((leaf) => {
    const field = selection.custom?.get(leaf.field);
    if (field === undefined) return [];
    const { test, isNegated } = testOf(leaf, field, filtering);
    const isUnchecked = "anyOf" in test && test.anyOf.includes(false);
    if (isNegated || isUnchecked || "isEmpty" in test || "contains" in test) return [];
    return sql`SELECT v."cardId" AS id FROM card_field_values v
      WHERE ${isCustomValue(field, test, filtering)}`;
  });
  const isUndatedInOrder = order === "position" && due === "none";
  const isEmptyDate = ({ field, op }: FilterLeaf) => field === "dueDate" && op === "isEmpty";
  const undated = sql`SELECT c.id FROM cards c
    WHERE c."boardId" = ${boardId} AND c."deletedAt" IS NULL AND c."dueDate" IS NULL`;
  const names = Object.keys(lookups).filter(
    (name) => order !== "position" || name !== "listPublicId",
  );
  return [
    ...customs,
    ...[...names, ...indexed].flatMap((name) => leaves.flatMap((leaf) => found(name, leaf) ?? [])),
    ...(order !== "dueDate" && !isUndatedInOrder && leaves.some(isEmptyDate) ? [undated] : []),
  ].slice(0, maxLookups);
}

/** The cards that may pass the filters; null when they are too many to sort. */
export async function findCandidates(
  query: Query,
  sort: readonly SortKey[],
  boardId: BoardId,
  selection: CardSelection,
): Promise<bigint[] | null> {
  const max = sql.number(maxCandidates + 1);
  for (const lookup of lookupsOf(sort, boardId, selection)) {
    const rows = await query<{ id: bigint }>(sql`${lookup} LIMIT ${max}`);
    if (rows.length <= maxCandidates) return [...new Set(rows.map(({ id }) => id))];
  }
  return null;
}
