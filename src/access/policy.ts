import type { EventType } from "../events/catalog.ts";
import type { Permission } from "./permissions.ts";
import type { Thing } from "./things.ts";

/**
 * Who may do what. `on` is the kind of thing that the operation's id points at, `in` a second id that it must lie in;
 * `self` asks for any credential, `nobody` for none. `needs` is a permission, or `member` for any active member;
 * `orCreator` lets whoever made the thing do it too. `keys` says which API keys may act for themselves:
 * `any`, `whole` (not bound to permissions, workspace or board; the default), `none`.
 */
export type Rule =
  | { on: "nobody"; emits?: readonly EventType[] }
  | { on: "self"; keys?: "any" | "whole" | "none"; emits?: readonly EventType[] }
  | {
      on: Thing;
      in?: Thing;
      needs: Permission | "member";
      orCreator?: true;
      emits?: readonly EventType[];
    };

/** Every operation of the service has its row here, and there is no other way in. */
export const policy = {
  "auth.register": { on: "nobody" },
  "auth.login": { on: "nobody" },
  "auth.refresh": { on: "nobody" },
  "auth.logout": { on: "self", keys: "none" },
  "auth.sessions": { on: "self", keys: "none" },
  "auth.revokeSession": { on: "self", keys: "none" },
  "auth.apiKeys": { on: "self", keys: "none" },
  "auth.createApiKey": { on: "self", keys: "none" },
  "auth.revokeApiKey": { on: "self", keys: "none" },

  "user.me": { on: "self", keys: "any" },

  "workspace.list": { on: "self", keys: "any" },
  "workspace.create": { on: "self", emits: ["workspace.created"] },
  "workspace.get": { on: "workspace", needs: "workspace:view" },
  "workspace.update": { on: "workspace", needs: "workspace:edit", emits: ["workspace.updated"] },
  "workspace.delete": { on: "workspace", needs: "workspace:delete", emits: ["workspace.deleted"] },

  "member.list": { on: "workspace", needs: "member:view" },
  "invite.createLink": { on: "workspace", needs: "member:invite" },
  "invite.accept": { on: "self", emits: ["member.joined"] },

  "permission.ofMember": { on: "member", in: "workspace", needs: "member:view" },
  "permission.revokeFromMember": {
    on: "member",
    in: "workspace",
    needs: "member:edit",
    emits: ["member.permissions_changed"],
  },
  "role.list": { on: "workspace", needs: "member:view" },
  "role.grant": { on: "role", in: "workspace", needs: "workspace:manage", emits: ["role.updated"] },

  "board.get": { on: "board", needs: "board:view" },
  "board.create": { on: "workspace", needs: "board:create", emits: ["board.created"] },

  "list.get": { on: "list", needs: "list:view" },
  "list.create": { on: "board", needs: "list:create", emits: ["list.created"] },

  "card.get": { on: "card", needs: "card:view" },
  "card.create": { on: "list", needs: "card:create", emits: ["card.created"] },
  "card.update": {
    on: "card",
    needs: "card:edit",
    orCreator: true,
    emits: ["card.updated", "card.moved", "card.archived", "card.completed", "label.created"],
  },
  "card.delete": { on: "card", needs: "card:delete", orCreator: true, emits: ["card.deleted"] },
  "card.toggleLabel": {
    on: "card",
    needs: "card:edit",
    emits: ["card.label_added", "card.label_removed"],
  },

  "label.create": { on: "board", needs: "card:edit", emits: ["label.created"] },
  "label.update": { on: "label", needs: "card:edit", emits: ["label.updated"] },

  "checklist.create": { on: "card", needs: "card:edit", emits: ["checklist.created"] },
  "checklist.addItem": { on: "checklist", needs: "card:edit", emits: ["checklist_item.created"] },
  "checklist.deleteItem": {
    on: "checklistItem",
    needs: "card:edit",
    emits: ["checklist_item.deleted"],
  },

  "webhook.list": { on: "workspace", needs: "workspace:manage" },
  "webhook.create": { on: "workspace", needs: "workspace:manage" },
  "webhook.delete": { on: "webhook", in: "workspace", needs: "workspace:manage" },
  "webhook.test": { on: "webhook", in: "workspace", needs: "workspace:manage" },

  "integration.authorize": { on: "self" },
  "integration.callback": { on: "nobody" },
  "integration.githubProjects": { on: "self" },
  "import.trelloBoards": { on: "self" },

  "health.check": { on: "nobody" },
} as const satisfies Record<string, Rule>;

/** The name of an operation: `list.create` over tRPC, and its key in the policy. */
export type Operation = keyof typeof policy;

/** The rule of one operation. */
export type RuleOf<Name extends Operation> = (typeof policy)[Name];

/** The rule of an operation, whichever it is. */
export const ruleOf = (name: Operation): Rule => policy[name];
