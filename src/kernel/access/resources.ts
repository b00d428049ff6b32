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

const brief = {
  workspace: [
    "id",
    "publicId",
    "name",
    "slug",
    "cardPrefix",
    "showEmailsToMembers",
    "timeZone",
    "lastCardNumber",
    "weekStartDay",
    "deletedAt",
  ],
  board: ["id", "publicId", "name", "slug", "visibility", "archivedAt", "deletedAt"],
  list: ["id", "publicId", "name", "archivedAt", "deletedAt"],
  card: ["id", "publicId", "number", "title", "version", "deletedAt"],
  checklist: ["id", "publicId", "name", "deletedAt"],
} as const satisfies { [Kind in ResourceKind]?: readonly (keyof Rows[Kind])[] };

type AncestorKind = keyof typeof brief;

/** The fields of a target's ancestors. */
export type AncestorFields = {
  [Kind in AncestorKind]: Pick<Rows[Kind], (typeof brief)[Kind][number] & keyof Rows[Kind]>;
};

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

/** A target under its own name, with its ancestors up to the workspace. */
export type TargetResources<Kind extends ResourceKind> = { [K in Kind]: Rows[K] } & {
  [K in ChainOf<Kind>]: AncestorFields[K];
};

/** The kinds of a resource's ancestors, nearest first. */
export function ancestorsOf(
  kind: ResourceKind,
): { kind: AncestorKind; from: ResourceKind; column: string }[] {
  const { up }: Node = resourceTree[kind];
  return up === undefined
    ? []
    : [{ kind: up[0], from: kind, column: up[1] }, ...ancestorsOf(up[0])];
}

/** The columns that are read of an ancestor. */
export const ancestorColumns = (kind: AncestorKind): readonly string[] => brief[kind];

/** The node of a kind in the tree. */
export const tableOf = (kind: ResourceKind): Node => resourceTree[kind];
