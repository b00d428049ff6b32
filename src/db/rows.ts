/** The rows as Prisma knows them, for those who may name a row but not ask for one. */
export type {
  ApiKey,
  Attachment,
  Board,
  Card,
  Checklist,
  ChecklistItem,
  Comment,
  Invite,
  Label,
  List,
  Member,
  Role,
  Session,
  User,
  Webhook,
  Workspace,
} from "./generated/client.ts";
