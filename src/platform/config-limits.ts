import type { Limits } from "../contract/limits.ts";
import type { Config } from "./config.ts";

/** The limits of resources per parent. */
export const limitsOf = (config: Config): Limits => ({
  workspaces: config.LIMIT_WORKSPACES,
  memberships: config.LIMIT_MEMBERSHIPS,
  account_webhooks: config.LIMIT_ACCOUNT_WEBHOOKS,
  boards: config.LIMIT_BOARDS,
  members: config.LIMIT_MEMBERS,
  webhooks: config.LIMIT_WEBHOOKS,
  roles: config.LIMIT_ROLES,
  labels: config.LIMIT_LABELS,
  lists: config.LIMIT_LISTS,
  archived_lists: config.LIMIT_ARCHIVED_LISTS,
  cards: config.LIMIT_CARDS,
  checklists: config.LIMIT_CHECKLISTS,
  checklist_items: config.LIMIT_ITEMS,
  attachments: config.LIMIT_ATTACHMENTS,
});
