import type * as generated from "./generated/client.ts";

/** The types of the rows, for modules that do not query them. */
export type {
  Job,
  ApiKey,
  Attachment,
  Board,
  Comment,
  Identity,
  Import,
  ImportIssue,
  Invite,
  Label,
  Member,
  Role,
  SecondFactor,
  Session,
  User,
  View,
  Webhook,
  Workspace,
} from "./generated/client.ts";

/** A row without its position, which only statements read and write. */
type Ordered<Row> = Omit<Row, "position">;
export type Card = Ordered<generated.Card>;
export type Checklist = Ordered<generated.Checklist>;
export type ChecklistItem = Ordered<generated.ChecklistItem>;
export type CustomField = Ordered<generated.CustomField>;
export type CustomFieldOption = Ordered<generated.CustomFieldOption>;
export type List = Ordered<generated.List>;
