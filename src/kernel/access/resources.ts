import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import type {
  Attachment,
  Board,
  Card,
  Checklist,
  ChecklistItem,
  Comment,
  Import,
  Label,
  List,
  Member,
  Role,
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
    "lastCardNumber",
    "deletedAt",
  ],
  board: ["id", "publicId", "name", "slug", "visibility", "deletedAt"],
  list: ["id", "publicId", "name", "deletedAt"],
  card: ["id", "publicId", "number", "title", "version", "deletedAt"],
  checklist: ["id", "publicId", "name", "deletedAt"],
} as const satisfies { [Kind in ResourceKind]?: readonly (keyof Rows[Kind])[] };

type Above = keyof typeof brief;

/** What is known of a thing that the target lies in. */
export type AncestorFields = {
  [Kind in Above]: Pick<Rows[Kind], (typeof brief)[Kind][number] & keyof Rows[Kind]>;
};

type Place = { table: string; up?: readonly [Above, string]; keeps?: true };

/** Where each kind stands: its table, the kind that it lies in with the column that says so, and whether it is never soft-deleted. */
export const resourceTree = {
  workspace: { table: "workspaces" },
  board: { table: "boards", up: ["workspace", "workspaceId"] },
  list: { table: "lists", up: ["board", "boardId"] },
  card: { table: "cards", up: ["list", "listId"] },
  label: { table: "labels", up: ["board", "boardId"] },
  checklist: { table: "checklists", up: ["card", "cardId"] },
  checklistItem: { table: "checklist_items", up: ["checklist", "checklistId"] },
  comment: { table: "comments", up: ["card", "cardId"] },
  attachment: { table: "attachments", up: ["card", "cardId"] },
  member: { table: "members", up: ["workspace", "workspaceId"], keeps: true },
  role: { table: "roles", up: ["workspace", "workspaceId"], keeps: true },
  webhook: { table: "webhooks", up: ["workspace", "workspaceId"] },
  import: { table: "imports", up: ["workspace", "workspaceId"], keeps: true },
} as const satisfies Record<ResourceKind, Place>;

type UpOf<Kind extends ResourceKind> = (typeof resourceTree)[Kind] extends {
  up: readonly [infer Up, string];
}
  ? Up & Above
  : never;
type ChainOf<Kind extends ResourceKind> =
  UpOf<Kind> extends never ? never : UpOf<Kind> | ChainOf<UpOf<Kind>>;

/** A located thing under its own name, and all that it lies in, up to its workspace. */
export type TargetResources<Kind extends ResourceKind> = { [K in Kind]: Rows[K] } & {
  [K in ChainOf<Kind>]: AncestorFields[K];
};

/** The kinds that a thing lies in, nearest first. */
export function ancestorsOf(
  kind: ResourceKind,
): { kind: Above; from: ResourceKind; column: string }[] {
  const place: Place = resourceTree[kind];
  return place.up === undefined
    ? []
    : [{ kind: place.up[0], from: kind, column: place.up[1] }, ...ancestorsOf(place.up[0])];
}

/** The columns that are read of a thing that the target lies in. */
export const ancestorColumns = (kind: Above): readonly string[] => brief[kind];

/** The place of a kind in the tree. */
export const tableOf = (kind: ResourceKind): Place => resourceTree[kind];
