import { notOnBoards } from "../card-shapes.ts";
import { overLimit } from "../over-limit.ts";
import type { BoardView, CardDetail, CardView, FieldView, ListView } from "./types.ts";

// Boards and cards are never changed: a function returns another one, which shares all that is the
// same.

/** A resource with an id. */
export type Row = { readonly publicId: string };

/** Where a row is put: under which resource, and at which index (where it is, or last). */
export type Place = { parent: string | undefined; index?: number | undefined };

/** The order of labels and members: by name, then by id. */
export const byName = (
  one: { name: string; publicId: string },
  other: { name: string; publicId: string },
): number =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : one.publicId < other.publicId ? -1 : 1;

type Timed = { createdAt: string; version: number };

/** What the service has not answered is last: its time is that of another clock. */
const byTime = (one: Timed, other: Timed): number =>
  Number(one.version === 0) - Number(other.version === 0) ||
  (one.createdAt < other.createdAt ? -1 : one.createdAt > other.createdAt ? 1 : 0);

/** What is said of a kind of rows. */
type Declared = {
  /** The kind of the resource that a row is put under. */
  parent?: string;
  /** Where the rows are: first where a new one is put, then where else they are shown. */
  paths: readonly Path[];
  /** Sorts rows that have no index. */
  order?: unknown;
  /** What a new row has below it. */
  empty?: object;
  /** What events say of a row, and boards do not show. */
  hidden?: readonly string[];
};

type Path = readonly string[];

const kinds = {
  board: { paths: [] },
  list: {
    parent: "board",
    paths: [["lists"]],
    empty: { cards: [], cardCount: 0, cardsOverLimit: 0 },
  },
  card: {
    parent: "list",
    paths: [["lists", "cards"]],
    hidden: notOnBoards,
  },
  label: {
    parent: "board",
    paths: [["labels"], ["lists", "cards", "labels"]],
    order: byName,
    hidden: ["version"],
  },
  field: { parent: "board", paths: [["fields"]], hidden: ["version"] },
  member: {
    paths: [
      ["lists", "cards", "members"],
      ["lists", "cards", "claim", "member"],
    ],
    order: byName,
  },
  checklist: { parent: "card", paths: [["checklists"]], empty: { items: [], itemCount: 0 } },
  checklistItem: { parent: "checklist", paths: [["checklists", "items"]] },
  comment: { parent: "card", paths: [["comments"]], order: byTime },
  attachment: { parent: "card", paths: [["attachments"]] },
  view: { parent: "workspace", paths: [["views"]], order: byName },
} satisfies Record<string, Declared>;

/** A kind of rows. */
export type Kind = keyof typeof kinds;

const declared: Readonly<Record<Kind, Declared>> = kinds;

/** Whether a text names a kind of rows. */
export const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name);

/** The kind of the resource that a row is put under. */
export const parentKindOf = (kind: Kind): string => declared[kind].parent ?? "";

/** Whether one of the items has an id. */
export const has = (items: readonly Row[], id: string): boolean =>
  items.some(({ publicId }) => publicId === id);

/** The items without the one with this id; the same array if none has it. */
export const without = <Item extends Row>(items: Item[], id: string): Item[] =>
  has(items, id) ? items.filter(({ publicId }) => publicId !== id) : items;

/** The items, changed by a function; the same array when no item changes. */
export function mapItems<Item>(items: Item[], change: (item: Item, nth: number) => Item): Item[] {
  let next: Item[] | undefined;
  items.forEach((item, nth) => {
    const changed = change(item, nth);
    if (changed === item) return;
    next ??= [...items];
    next[nth] = changed;
  });
  return next ?? items;
}

/** An object with other fields; the same object when all fields are equal. */
export function withFields<T extends object>(value: T, fields: Partial<T>): T {
  const isSame = Object.entries(fields).every(([name, field]) => value[name as keyof T] === field);
  return isSame ? value : { ...value, ...fields };
}

/** The fields of a resource that another one has too. */
export const fieldsIn = <Node extends object>(current: Node, fields: object): Partial<Node> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name in current)) as Partial<Node>;

type Settled = Partial<ListView & CardDetail["checklists"][number] & CardDetail>;

/** A resource whose counts and indices are those of the rows that it has. `last`: as it was. */
function settled<Node extends object>(node: Node, last: Settled): Node {
  const { cards, items, comments, wipLimit = null, wipMode = "off" } = node as Settled;
  if (cards === undefined && items === undefined && comments === undefined) return node;
  const fields: Settled = {};
  if (cards !== undefined) {
    fields.cards = mapItems(cards, (card, index) =>
      card.index === index ? card : { ...card, index },
    );
    fields.cardCount = cards.length;
    fields.cardsOverLimit = overLimit({ wipLimit, wipMode }, cards.length);
  }
  if (items !== undefined && items !== last.items)
    fields.itemCount = (last.itemCount ?? 0) + items.length - (last.items?.length ?? 0);
  if (comments !== undefined && comments !== last.comments)
    fields.commentCount = (last.commentCount ?? 0) + comments.length - (last.comments?.length ?? 0);
  return withFields(node, fields as Partial<Node>);
}

/** A resource with those fields that it has, of others. */
function merged<Node extends object>(node: Node, fields: object): Node {
  const changed = Object.entries(fields).filter(
    ([name, value]) => name in node && node[name as keyof Node] !== value,
  );
  return changed.length === 0 ? node : settled({ ...node, ...Object.fromEntries(changed) }, node);
}

type Change = (rows: Row[] | Row, parent: Row) => unknown;

/** A value with what is at a path changed: the rows of each parent on the way. */
function edit(node: unknown, path: Path, change: Change, depth = 0): unknown {
  if (Array.isArray(node))
    return mapItems<unknown>(node, (item) => edit(item, path, change, depth));
  const name = path[depth] ?? "";
  const value = (node as Record<string, Row[] | Row | null | undefined>)[name];
  if (value === undefined || value === null) return node;
  const isLast = depth === path.length - 1;
  const next = isLast ? change(value, node as Row) : edit(value, path, change, depth + 1);
  return next === value ? node : settled({ ...(node as object), [name]: next }, node as Settled);
}

type Group = { rows: Row[]; parent: Row };

function collect(node: Row, [name = "", ...rest]: Path, groups: Group[]): Group[] {
  const rows = (node as unknown as Record<string, Row[] | undefined>)[name];
  if (rows === undefined) return groups;
  if (rest.length === 0) groups.push({ rows, parent: node });
  else for (const row of rows) collect(row, rest, groups);
  return groups;
}

/** The rows of a kind where they are put, each group with its parent. */
export function groupsOf(root: Row, kind: Kind): Group[] {
  const [path] = declared[kind].paths;
  return path === undefined ? [] : collect(root, path, []);
}

/** The row of a kind with this id: the board or the card itself, or one in it. */
export function find(root: Row, kind: Kind, id: string): Row | undefined {
  if (root.publicId === id) return root;
  for (const { rows } of groupsOf(root, kind)) {
    const row = rows.find(({ publicId }) => publicId === id);
    if (row !== undefined) return row;
  }
  return undefined;
}

/** The list with this id. */
export const findList = (board: BoardView, id: string): ListView | undefined =>
  board.lists.find(({ publicId }) => publicId === id);

/** The card with this id, and its list. */
export function findCard(
  board: BoardView,
  id: string,
): { card: CardView; list: ListView } | undefined {
  for (const list of board.lists) {
    const card = list.cards.find(({ publicId }) => publicId === id);
    if (card !== undefined) return { card, list };
  }
  return undefined;
}

/** The ids of options in the order of the options. */
export const inOrder = (options: FieldView["options"], ids: readonly unknown[]): string[] =>
  options.flatMap(({ publicId }) => (ids.includes(publicId) ? publicId : []));

/** What cards of a board show of these values: those of its shown fields and their options. */
export function shownValues(
  { fields }: Pick<BoardView, "fields">,
  values: CardView["fields"],
): CardView["fields"] {
  const shown: CardView["fields"] = {};
  for (const { publicId, type, options, isShownOnCard } of fields) {
    const value = values[publicId];
    if (value === undefined || !isShownOnCard) continue;
    const isSelect = type === "select" || type === "multiSelect";
    const ids = isSelect ? inOrder(options, [value].flat()) : [];
    const [shownValue] = type === "select" ? ids : isSelect ? [ids] : [value];
    if (!isSelect || ids.length > 0) shown[publicId] = shownValue;
  }
  return shown;
}

/** A board or card with each row of a kind changed by a function, where such rows are put. */
export function mapRows<Root extends Row, Of extends Row>(
  root: Root,
  kind: Kind,
  change: (row: Of) => Of,
): Root {
  const [path = []] = declared[kind].paths;
  return edit(root, path, (rows) => mapItems(rows as Of[], change)) as Root;
}

/** A board whose cards show the values of its fields, and no others. */
const withValues = <Root extends Row>(root: Root): Root =>
  mapRows(root, "card", (card: CardView) => ({
    ...card,
    fields: shownValues(root as unknown as BoardView, card.fields),
  }));

/** The rows of a kind in the order of the kind. */
const inOrderOf = (kind: Kind, rows: Row[]): Row[] => {
  const order = declared[kind].order as ((one: Row, other: Row) => number) | undefined;
  return order === undefined ? rows : rows.toSorted(order);
};

/** Sets fields of a row wherever it is shown, and puts it at a place, and nowhere else. */
export function put<Root extends Row>(root: Root, kind: Kind, row: Row, place?: Place): Root {
  const { publicId } = row;
  if (root.publicId === publicId) return merged(root, row);
  // A label is the same on all its cards.
  let shown: Row | undefined;
  const replace: Change = (rows) => {
    if (!Array.isArray(rows))
      return rows.publicId === publicId ? (shown ??= merged(rows, row)) : rows;
    const at = indexOf(rows, publicId);
    const current = rows[at];
    if (current === undefined) return rows;
    shown ??= merged(current, row);
    return shown === current ? rows : inOrderOf(kind, rows.toSpliced(at, 1, shown));
  };
  const [path = [], ...others] = declared[kind].paths;
  let next = edit(root, path, place === undefined ? replace : placing(root, kind, row, place));
  for (const other of others) next = edit(next, other, replace);
  return (kind === "field" ? withValues(next as Root) : next) as Root;
}

const indexOf = (rows: readonly Row[], id: string) =>
  rows.findIndex(({ publicId }) => publicId === id);

/** Puts a row under its parent, and takes it from others. */
function placing(root: Row, kind: Kind, row: Row, { parent: under, index }: Place): Change {
  const { publicId } = row;
  const current = find(root, kind, publicId);
  const next = current === undefined ? newRow(kind, row) : merged(current, row);
  return (value, parent) => {
    const rows = value as Row[];
    const at = indexOf(rows, publicId);
    const others = at < 0 ? rows : rows.toSpliced(at, 1);
    if (parent.publicId !== under) return others;
    return inOrderOf(kind, others.toSpliced(index ?? (at < 0 ? others.length : at), 0, next));
  };
}

/** A new row as boards and cards show it. */
export function newRow<Of extends Row>(kind: Kind, row: Of): Of {
  const below = declared[kind].empty ?? {};
  const shown = Object.entries(row).filter(
    ([name]) => declared[kind].hidden?.includes(name) !== true,
  );
  return settled({ ...below, ...(Object.fromEntries(shown) as Of) }, below);
}

/** Removes a row wherever it is shown. */
export function remove<Root extends Row>(root: Root, kind: Kind, id: string): Root {
  const isShown = find(root, kind, id) !== undefined;
  let next: unknown = root;
  for (const path of declared[kind].paths)
    next = edit(next, path, (rows) => (Array.isArray(rows) ? without(rows, id) : rows));
  return (kind === "field" && isShown ? withValues(next as Root) : next) as Root;
}
