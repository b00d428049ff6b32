/** A kind of resource that an operation can target. */
export type ResourceKind =
  | "workspace"
  | "board"
  | "list"
  | "card"
  | "label"
  | "field"
  | "view"
  | "checklist"
  | "checklistItem"
  | "comment"
  | "attachment"
  | "member"
  | "role"
  | "webhook"
  | "import";
