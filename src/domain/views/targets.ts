import { builtIn, customFieldId } from "../../contract/filter/fields.ts";
import type { FilterLeaf, FilterTree } from "../../contract/filter/tree.ts";
import { leavesOf } from "../../contract/filter/tree.ts";
import { isGroupField } from "../../contract/filter/groupings.ts";
import { groupingIn } from "../../contract/resources/views.ts";
import { isVisible, type Viewer } from "../../kernel/access/visibility.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { isSortable } from "../boards/sort-keys.ts";
import { readCustomFields, type CustomFields } from "../filters/custom-fields.ts";
import type { ViewContent } from "../presenters/views.ts";

/** What views name, where it exists and their reader may see it. */
export type Targets = {
  /** Internal ids of boards by their public ids. */
  boards: ReadonlyMap<string, bigint>;
  fields: CustomFields;
  /** The kinds and public ids of lists, labels, members and options. */
  others: ReadonlySet<string>;
};

type Kind = "list" | "label" | "member" | "option" | "board";
type Row = { kind: Kind; publicId: string; id: bigint };

/** The kind of what the values of a field name; undefined if they name nothing. */
function kindIn(field: string, { fields }: Targets): Kind | undefined {
  const type = fields.get(field)?.type;
  if (type === "select" || type === "multiSelect") return "option";
  if (type === "member" || builtIn(field)?.isMember === true) return "member";
  if (field === "labels") return "label";
  if (field === "listPublicId") return "list";
  return field === "boardPublicId" ? "board" : undefined;
}

const textsIn = ({ value }: FilterLeaf): string[] =>
  [value ?? []].flat().filter((one) => typeof one === "string");

/** SQL: what some public ids name, on boards `b` that are seen, and members. */
function namedThings(ids: string[], workspaceId: bigint, isSeen: Sql): Sql {
  const one = (kind: Kind, from: Sql, row: Sql, where: Sql) =>
    sql`SELECT ${kind} AS kind, ${row}."publicId", ${row}.id FROM ${from}
      WHERE ${row}."publicId" = ANY(${ids}::text[]) AND ${where}`;
  const onBoard = (row: Sql) => sql`${row}."deletedAt" IS NULL AND ${isSeen}`;
  const fields = sql`custom_fields f ON f.id = o."fieldId" AND f."deletedAt" IS NULL`;
  const isMember = sql`m."workspaceId" = ${workspaceId} AND m.status <> 'removed'`;
  const [l, la, o] = [sql`l`, sql`la`, sql`o`];
  return sql.join(
    [
      one("board", sql`boards b`, sql`b`, isSeen),
      one("list", sql`lists l JOIN boards b ON b.id = l."boardId"`, l, onBoard(l)),
      one("label", sql`labels la JOIN boards b ON b.id = la."boardId"`, la, onBoard(la)),
      one(
        "option",
        sql`custom_field_options o JOIN ${fields} JOIN boards b ON b.id = f."boardId"`,
        o,
        onBoard(o),
      ),
      one("member", sql`members m`, sql`m`, isMember),
    ],
    sql` UNION ALL `,
  );
}

/** Reads what views name, of a workspace, as their reader may see it. */
export async function readTargets(
  query: Query,
  workspaceId: bigint,
  viewer: Viewer,
  views: readonly ViewContent[],
): Promise<Targets> {
  const leaves = views.flatMap(({ filter }) => (filter === null ? [] : leavesOf(filter)));
  const names = [
    ...leaves.map(({ field }) => field),
    ...views.flatMap(({ sortBy, groupBy }) => [
      ...sortBy.map(({ field }) => field),
      groupBy === null ? [] : groupingIn(groupBy).field,
    ]),
  ].flat();
  const ids = [...new Set([...leaves.flatMap(textsIn), ...views.flatMap(({ boards }) => boards)])];
  const isSeen = sql`b."workspaceId" = ${workspaceId} AND b."deletedAt" IS NULL
    AND ${isVisible(viewer)}`;
  const [fields, rows] = await Promise.all([
    readCustomFields(
      query,
      sql`EXISTS (SELECT FROM boards b WHERE b.id = f."boardId" AND ${isSeen})`,
      names,
    ),
    ids.length === 0 ? [] : query<Row>(namedThings(ids, workspaceId, isSeen)),
  ]);
  const boards = rows.flatMap(({ kind, publicId, id }): [string, bigint][] =>
    kind === "board" ? [[publicId, id]] : [],
  );
  return {
    boards: new Map(boards),
    fields,
    others: new Set(rows.map(({ kind, publicId }) => `${kind} ${publicId}`)),
  };
}

const isGone = (field: string, { fields }: Targets) =>
  customFieldId(field) !== undefined && !fields.has(field);

/** Whether a condition names only what is gone or hidden. */
function isBrokenLeaf(leaf: FilterLeaf, targets: Targets): boolean {
  if (isGone(leaf.field, targets)) return true;
  const kind = kindIn(leaf.field, targets);
  if (kind === undefined) return false;
  const named = textsIn(leaf);
  const isThere = (id: string) =>
    (kind === "member" && id === "me") || targets.others.has(`${kind} ${id}`);
  return named.length > 0 && !named.some(isThere);
}

/** Whether cards cannot be sorted by a custom field. */
export const isBrokenKey = (field: string, { fields }: Targets): boolean => {
  const custom = fields.get(field);
  return customFieldId(field) !== undefined && (custom === undefined || !isSortable(custom));
};

/** Whether cards cannot be grouped by a custom field. */
export const isBrokenGroup = (groupBy: string, { fields }: Targets): boolean => {
  const { field } = groupingIn(groupBy);
  const type = fields.get(field)?.type;
  return !isGroupField(field) && type !== "select" && type !== "multiSelect";
};

function brokenLeaves(tree: FilterTree, path: string, targets: Targets): string[] {
  const inner = (name: "and" | "or", trees: readonly FilterTree[]) =>
    trees.flatMap((one, nth) => brokenLeaves(one, `${path}.${name}.${nth}`, targets));
  if ("and" in tree) return inner("and", tree.and);
  if ("or" in tree) return inner("or", tree.or);
  if ("not" in tree) return brokenLeaves(tree.not, `${path}.not`, targets);
  return isBrokenLeaf(tree, targets) ? [path] : [];
}

/** The paths of what is broken in a view. */
export const brokenParts = (
  { boards, filter, sortBy, groupBy }: ViewContent,
  targets: Targets,
): string[] => [
  ...boards.flatMap((id, nth) => (targets.boards.has(id) ? [] : [`boards.${nth}`])),
  ...(filter === null ? [] : brokenLeaves(filter, "filter", targets)),
  ...sortBy.flatMap(({ field }, nth) => (isBrokenKey(field, targets) ? [`sortBy.${nth}`] : [])),
  ...(groupBy !== null && isBrokenGroup(groupBy, targets) ? ["groupBy"] : []),
];

/** Passes no card. */
const nothing: FilterTree = { field: "publicId", op: "isAnyOf", value: [] };

/** A filter whose broken conditions pass no card. */
export function withoutBroken(tree: FilterTree, targets: Targets): FilterTree {
  const inner = (one: FilterTree) => withoutBroken(one, targets);
  if ("and" in tree) return { and: tree.and.map(inner) };
  if ("or" in tree) return { or: tree.or.map(inner) };
  if ("not" in tree) return { not: inner(tree.not) };
  return isBrokenLeaf(tree, targets) ? nothing : tree;
}
