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

type Counted = { setting: `LIMIT_${string}`; per: string; counts: string };

/** What each limit counts, for messages and the documentation. */
export const counted: { readonly [Name in keyof Limits]: Counted } = {
  workspaces: {
    setting: "LIMIT_WORKSPACES",
    per: "account",
    counts: "workspaces that it created",
  },
  memberships: {
    setting: "LIMIT_MEMBERSHIPS",
    per: "account",
    counts: "memberships, including those of workspaces in the trash",
  },
  account_webhooks: {
    setting: "LIMIT_ACCOUNT_WEBHOOKS",
    per: "account",
    counts: "webhooks in the workspaces that it created",
  },
  boards: {
    setting: "LIMIT_BOARDS",
    per: "workspace",
    counts: "boards, including archived ones",
  },
  members: {
    setting: "LIMIT_MEMBERS",
    per: "workspace",
    counts: "members, including invited ones",
  },
  webhooks: { setting: "LIMIT_WEBHOOKS", per: "workspace", counts: "webhooks" },
  roles: { setting: "LIMIT_ROLES", per: "workspace", counts: "roles" },
  labels: { setting: "LIMIT_LABELS", per: "board", counts: "labels" },
  lists: { setting: "LIMIT_LISTS", per: "board", counts: "lists that are not archived" },
  archived_lists: { setting: "LIMIT_ARCHIVED_LISTS", per: "board", counts: "archived lists" },
  cards: { setting: "LIMIT_CARDS", per: "board", counts: "cards, including archived ones" },
  checklists: { setting: "LIMIT_CHECKLISTS", per: "card", counts: "checklists" },
  attachments: { setting: "LIMIT_ATTACHMENTS", per: "card", counts: "attachments" },
  checklist_items: { setting: "LIMIT_ITEMS", per: "checklist", counts: "items" },
};

/** The message that a parent is full. */
export function fullMessage(limits: Limits, name: keyof Limits): string {
  const { per, counts } = counted[name];
  return `${per === "account" ? "An" : "A"} ${per} has at most ${limits[name]} ${counts}.`;
}
