import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import type {
  Attachment,
  Board,
  Card,
  Checklist,
  ChecklistItem,
  Comment,
  CustomField,
  Import,
  Label,
  List,
  Member,
  Role,
  View,
  Webhook,
  Workspace,
} from "../../platform/db/rows.ts";

/** The row of each kind of resource. */
export type Rows = Pick<RowOf, ResourceKind>;

type RowOf = {
  workspace: Workspace;
  board: Board;
  list: List;
  card: Card;
  label: Label;
  field: CustomField;
  view: View;
  checklist: Checklist;
  checklistItem: ChecklistItem;
  comment: Comment;
  attachment: Attachment;
  member: Member;
  role: Role;
  webhook: Webhook;
  import: Import;
};

/** The columns that each operation gets of its target's ancestors; `uses` of its rule adds others. */
const brief = {
  workspace: ["id", "publicId", "cardPrefix", "timeZone", "hasWebhooks"],
  board: ["id", "publicId", "name"],
  list: ["id", "publicId", "name"],
  card: [
    "id",
    "publicId",
    "claimedById",
    "hasLabels",
    "hasMembers",
    "hasFieldValues",
    "hasRelations",
  ],
  checklist: ["id", "publicId", "name"],
} as const satisfies { [Kind in ResourceKind]?: readonly (keyof Rows[Kind])[] };

type AncestorKind = keyof typeof brief;

/** The columns of a target that is not read whole: those that authorization needs. */
const briefTarget = ["id", "publicId", "workspaceId", "createdById", "version"] as const;

/** The columns of some kinds that the rule of an operation declares. */
export type Uses = { readonly [Kind in ResourceKind]?: readonly string[] };

/** The columns that a rule declares of a kind; one that does not exist makes its rows `never`. */
type Used<U, Kind extends keyof Rows> = Kind extends keyof U
  ? U[Kind] extends readonly (infer Column)[]
    ? Column
    : never
  : never;
type Columns<Kind extends keyof Rows, Names> = [Names] extends [keyof Rows[Kind]]
  ? Pick<Rows[Kind], Names>
  : never;
type BriefOf<Kind extends keyof Rows> = Kind extends AncestorKind
  ? (typeof brief)[Kind][number]
  : never;

/** The fields of a target: all, or those that authorization needs and a rule declares. */
type TargetFields<Kind extends keyof Rows, U> = Kind extends keyof U
  ? Columns<Kind, (typeof briefTarget)[number] | BriefOf<Kind> | Used<U, Kind>>
  : Rows[Kind];

type Node = {
  table: string;
  up?: readonly [AncestorKind, string];
  isNeverDeleted?: true;
  /** Whether it may belong to one member only (`ownerId`), or to a board (`boardId`). */
  isShared?: true;
};

/** Each kind's table, its parent with the column that names it, and whether it is never deleted. */
export const resourceTree = {
  workspace: { table: "workspaces" },
  board: { table: "boards", up: ["workspace", "workspaceId"] },
  list: { table: "lists", up: ["board", "boardId"] },
  card: { table: "cards", up: ["list", "listId"] },
  label: { table: "labels", up: ["board", "boardId"] },
  field: { table: "custom_fields", up: ["board", "boardId"] },
  view: { table: "views", up: ["workspace", "workspaceId"], isShared: true },
  checklist: { table: "checklists", up: ["card", "cardId"] },
  checklistItem: { table: "checklist_items", up: ["checklist", "checklistId"] },
  comment: { table: "comments", up: ["card", "cardId"] },
  attachment: { table: "attachments", up: ["card", "cardId"] },
  member: { table: "members", up: ["workspace", "workspaceId"], isNeverDeleted: true },
  role: { table: "roles", up: ["workspace", "workspaceId"], isNeverDeleted: true },
  webhook: { table: "webhooks", up: ["workspace", "workspaceId"] },
  import: { table: "imports", up: ["workspace", "workspaceId"], isNeverDeleted: true },
} as const satisfies Record<ResourceKind, Node>;

type UpOf<Kind extends ResourceKind> = (typeof resourceTree)[Kind] extends {
  up: readonly [infer Up, string];
}
  ? Up & AncestorKind
  : never;
type ChainOf<Kind extends ResourceKind> =
  UpOf<Kind> extends never ? never : UpOf<Kind> | ChainOf<UpOf<Kind>>;

/**
 * A target under its own name, with its ancestors up to the workspace: what the rule of an operation
 * reads of them.
 */
export type TargetResources<Kind extends ResourceKind, U = object, More = never> = {
  [K in Kind]: TargetFields<K, U>;
} & { [K in ChainOf<Kind>]: Columns<K, BriefOf<K> | Used<U, K> | More> };

/** The kinds of a resource's ancestors, nearest first. */
export function ancestorsOf(
  kind: ResourceKind,
): { kind: AncestorKind; from: ResourceKind; column: string }[] {
  const { up }: Node = resourceTree[kind];
  return up === undefined
    ? []
    : [{ kind: up[0], from: kind, column: up[1] }, ...ancestorsOf(up[0])];
}

/** What the rule of an operation says of the columns that it reads. */
type Reading = { uses?: Uses | undefined; evenDeleted?: boolean | undefined };

/** The columns that are read of an ancestor: of one that may be deleted, also since when. */
export const ancestorColumns = (kind: AncestorKind, { uses, evenDeleted }: Reading): string[] => [
  ...new Set([...brief[kind], ...(uses?.[kind] ?? []), ...(evenDeleted ? ["deletedAt"] : [])]),
];

/** The columns that are read of a target; undefined for all. */
export function targetColumns(kind: ResourceKind, reading: Reading): string[] | undefined {
  if (reading.uses?.[kind] === undefined || !isAncestor(kind)) return undefined;
  return [...new Set([...briefTarget, ...ancestorColumns(kind, reading)])];
}

const isAncestor = (kind: ResourceKind): kind is AncestorKind => Object.hasOwn(brief, kind);

/** The node of a kind in the tree. */
export const tableOf = (kind: ResourceKind): Node => resourceTree[kind];
