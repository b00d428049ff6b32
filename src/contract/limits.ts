import { limitedTables } from "./fields/part.ts";
import { cardParts } from "./resources/card-parts.ts";

/** The default limits of live resources per parent. The setting `LIMITS` overrides them. */
export const defaultLimits = {
  workspaces: 1_000,
  memberships: 2_000,
  account_webhooks: 2_000,
  boards: 1_000,
  members: 10_000,
  webhooks: 200,
  roles: 200,
  labels: 500,
  fields: 50,
  views: 500,
  private_views: 50,
  lists: 200,
  archived_lists: 2_000,
  cards: 50_000,
  ...limitedTables(cardParts, ({ max }) => max),
};

/** The limits in force. */
export type Limits = { readonly [Name in keyof typeof defaultLimits]: number };

type Counted = { per: string; counts: string };

/** What each limit counts, for messages and the documentation. */
export const counted: { readonly [Name in keyof Limits]: Counted } = {
  workspaces: { per: "account", counts: "workspaces that it created" },
  memberships: {
    per: "account",
    counts: "memberships, including those of workspaces in the trash",
  },
  account_webhooks: { per: "account", counts: "webhooks in the workspaces that it created" },
  boards: { per: "workspace", counts: "boards, including archived ones" },
  members: { per: "workspace", counts: "members, including invited ones" },
  webhooks: { per: "workspace", counts: "webhooks" },
  roles: { per: "workspace", counts: "roles" },
  labels: { per: "board", counts: "labels" },
  fields: { per: "board", counts: "custom fields" },
  views: { per: "workspace", counts: "views that are not private" },
  private_views: { per: "member", counts: "private views" },
  lists: { per: "board", counts: "lists that are not archived" },
  archived_lists: { per: "board", counts: "archived lists" },
  cards: { per: "board", counts: "cards, including archived ones" },
  ...limitedTables(cardParts, (limit): Counted => limit),
};

/** The message that a parent is full. */
export function fullMessage(limits: Limits, name: keyof Limits): string {
  const { per, counts } = counted[name];
  return `${per === "account" ? "An" : "A"} ${per} has at most ${limits[name]} ${counts}.`;
}
