/** The default limits of live resources per parent. `LIMIT_*` settings override them. */
export const defaultLimits = {
  workspaces: 1_000,
  memberships: 2_000,
  account_webhooks: 2_000,
  boards: 1_000,
  members: 10_000,
  webhooks: 200,
  roles: 200,
  labels: 500,
  lists: 200,
  archived_lists: 2_000,
  cards: 50_000,
  checklists: 50,
  attachments: 500,
  checklist_items: 500,
};

/** The limits in force. */
export type Limits = { readonly [Name in keyof typeof defaultLimits]: number };
