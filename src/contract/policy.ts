import { enteringEvents, eventTypes, type EventType } from "./events.ts";
import type { EmittedUserEvent } from "./user-events.ts";
import { importEvents } from "./import-events.ts";
import { viewing, viewingImported, type Permission } from "./vocabulary/permissions.ts";
import type { ResourceKind } from "./vocabulary/resource-kinds.ts";

/** An event of a workspace, or of the caller alone. */
export type EmittedType = EventType | EmittedUserEvent["type"];

/**
 * Who may call an operation.
 *
 * `on`: the kind of its target, or `self` (any credential), `public`, or `operator`: the admin key,
 * or a session of an operator's account. To others it does not exist, unless it is `announced`.
 * `authenticates`: a secret in the input shows who calls. Until then, the call counts for its
 * network.
 * `in`: the kind of a parent that the input names too. `by: "slug"`: the slug names the target.
 * `needs`: a permission, or `member` for any active member. `orCreator`: the creator may too.
 * `views`: permissions that the answer requires as well, also from the creator.
 * `returnsInput`: the answer holds only what the caller has written, so that it requires no such
 * permission.
 * `evenDeleted`: the target may be in the trash.
 * `uses`: the columns that the operation reads of parents, beside their ids and names. A target is
 * read whole, unless it is named here.
 * `keys`: which API keys may call it: `any`, `unrestricted` (without permissions, workspace or
 * board; the default of `self`) or `none`. `boardKeys: "filtered"`: a key that is bound to a board
 * may call it, and its answer is filtered for that board. `reads`: a mutation that read-only keys may call.
 * `creates`: the kind of resource that it creates; clients may make its id.
 * `names`: the input fields with ids of what the operation locks beside its target, by kind: a batch
 * locks all of its operations at once.
 * `withoutFactor`: a second factor is not asked for, also where one is required.
 * `alone`: the write cannot be in a batch: it calls a service, sends mail, or answers a secret.
 */
export type Rule =
  | { on: "public"; authenticates?: true; emits?: readonly EmittedType[] }
  | { on: "operator"; announced?: true; emits?: readonly EmittedType[] }
  | {
      on: "self";
      keys?: "any" | "unrestricted" | "none";
      reads?: true;
      creates?: ResourceKind;
      emits?: readonly EmittedType[];
    }
  | {
      on: ResourceKind;
      in?: ResourceKind;
      by?: "slug";
      needs: Permission | "member";
      orCreator?: true;
      views?: readonly Permission[];
      returnsInput?: true;
      evenDeleted?: true;
      uses?: { readonly [Kind in ResourceKind]?: readonly string[] };
      boardKeys?: "filtered";
      keys?: "none";
      withoutFactor?: true;
      names?: { readonly [Kind in ResourceKind]?: readonly string[] };
      alone?: true;
      creates?: ResourceKind;
      emits?: readonly EmittedType[];
    };

/** Whether an operation emits events of workspaces. */
export const emitsToWorkspaces = ({ emits = [] }: Rule): boolean =>
  eventTypes.some((type) => emits.includes(type));

/** Whether an operation may bring cards into lists. Imports do so too, whatever the limits. */
export const bringsCards = ({ emits = [] }: Rule): boolean =>
  enteringEvents.some((type) => emits.includes(type)) && !emits.includes("import.started");

const accessChanges = ["access.gained", "access.lost"] as const;

/** What the limit of cards needs, and what filters by days need. */
const cardLimit = { workspace: ["lastCardNumber"] } as const;
const days = { workspace: ["weekStartDay"] } as const;

/** The rules of all operations. An operation without a row does not compile. */
export const policy = {
  "auth.register": { on: "public" },
  "auth.login": { on: "public", authenticates: true },
  "auth.refresh": { on: "public", authenticates: true },
  "auth.requestPasswordReset": { on: "public" },
  "auth.resetPassword": { on: "public" },
  "auth.verifyEmail": { on: "self", keys: "none" },
  "auth.resendVerification": { on: "self", keys: "none" },
  "auth.logout": { on: "self", keys: "none" },
  "auth.changePassword": { on: "self", keys: "none" },
  "auth.sessions": { on: "self", keys: "none" },
  "auth.revokeSession": { on: "self", keys: "none" },
  "auth.apiKeys": { on: "self", keys: "none" },
  "auth.createApiKey": { on: "self", keys: "none" },
  "auth.revokeApiKey": { on: "self", keys: "none" },
  "auth.streamTicket": { on: "self", keys: "any", reads: true },

  "oauth.register": { on: "public" },
  "oauth.describe": { on: "self", keys: "none" },
  "oauth.decide": { on: "self", keys: "none" },
  "oauth.token": { on: "public", authenticates: true },
  "oauth.revoke": { on: "public", authenticates: true },
  "oauth.startDevice": { on: "public" },
  "oauth.describeDevice": { on: "self", keys: "none" },
  "oauth.decideDevice": { on: "self", keys: "none" },

  "auth.confirm": { on: "public", authenticates: true },
  "secondFactor.list": { on: "self", keys: "none" },
  "secondFactor.startTotp": { on: "self", keys: "none" },
  "secondFactor.addTotp": { on: "self", keys: "none" },
  "secondFactor.startPasskey": { on: "self", keys: "none" },
  "secondFactor.addPasskey": { on: "self", keys: "none" },
  "secondFactor.rename": { on: "self", keys: "none" },
  "secondFactor.remove": { on: "self", keys: "none" },
  "secondFactor.createRecoveryCodes": { on: "self", keys: "none" },

  "signIn.providers": { on: "public" },
  "signIn.start": { on: "public" },
  "signIn.callback": { on: "public" },
  "signIn.finish": { on: "public", authenticates: true },
  "signIn.link": { on: "self", keys: "none" },
  "signIn.identities": { on: "self", keys: "none" },
  "signIn.unlink": { on: "self", keys: "none" },

  "user.me": { on: "self", keys: "any" },
  "user.update": { on: "self", emits: ["member.updated"] },
  "user.delete": { on: "self", keys: "none", emits: ["member.removed", ...accessChanges] },
  "user.cards": { on: "self", keys: "any" },
  "user.notifications": { on: "self" },
  "user.stream": { on: "self" },
  "user.readNotification": { on: "self", emits: ["notification.read"] },
  "user.readAllNotifications": { on: "self", emits: ["notification.all_read"] },
  "user.preferences": { on: "self" },
  "user.updatePreferences": { on: "self" },

  "workspace.list": { on: "self", keys: "any" },
  "workspace.create": { on: "self", creates: "workspace", emits: ["workspace.created"] },
  "workspace.get": { on: "workspace", needs: "workspace:view", boardKeys: "filtered" },
  "workspace.getBySlug": { on: "workspace", by: "slug", needs: "workspace:view" },
  "workspace.checkSlugAvailability": { on: "self", keys: "any" },
  "workspace.update": {
    on: "workspace",
    needs: "workspace:edit",
    emits: ["workspace.updated"],
    views: ["workspace:view"],
  },
  "workspace.delete": { on: "workspace", needs: "workspace:delete", emits: ["workspace.deleted"] },
  "workspace.restore": {
    on: "workspace",
    needs: "workspace:delete",
    evenDeleted: true,
    emits: ["workspace.restored", "member.permissions_changed", ...accessChanges],
    views: ["workspace:view"],
  },
  // Each operation is authorized by its own rule.
  "workspace.batch": { on: "workspace", needs: "member", boardKeys: "filtered", alone: true },
  "workspace.search": { on: "workspace", needs: "workspace:view", boardKeys: "filtered" },
  "workspace.trash": { on: "workspace", needs: "workspace:view" },
  "workspace.import": { on: "self", emits: ["workspace.created", "import.started"] },
  "workspace.export": { on: "workspace", needs: "workspace:manage", views: viewing },
  "workspace.snapshot": { on: "workspace", needs: "workspace:view", boardKeys: "filtered" },
  "workspace.audit": { on: "workspace", needs: "workspace:manage" },
  "workspace.events": { on: "workspace", needs: "workspace:view", boardKeys: "filtered" },
  "workspace.stream": { on: "workspace", needs: "workspace:view", boardKeys: "filtered" },

  "member.list": { on: "workspace", needs: "member:view" },
  "member.get": {
    on: "member",
    in: "workspace",
    needs: "member:view",
    uses: { workspace: ["showEmailsToMembers"] },
  },
  "member.invite": {
    on: "workspace",
    needs: "member:invite",
    emits: ["member.invited"],
    views: ["member:view"],
    alone: true,
  },
  "member.updateRole": {
    on: "member",
    in: "workspace",
    needs: "member:edit",
    names: { role: ["rolePublicId"] },
    emits: ["member.role_changed", ...accessChanges],
    views: ["member:view"],
  },
  "member.remove": {
    on: "member",
    in: "workspace",
    needs: "member:remove",
    emits: ["member.removed", ...accessChanges],
  },
  "member.leave": {
    on: "workspace",
    needs: "member",
    withoutFactor: true,
    emits: ["member.removed", ...accessChanges],
    alone: true,
  },
  "serviceAccount.list": { on: "workspace", needs: "member:view" },
  "serviceAccount.create": {
    on: "workspace",
    needs: "workspace:manage",
    emits: ["member.joined", ...accessChanges],
    views: ["member:view"],
    alone: true,
  },
  "serviceAccount.update": {
    on: "member",
    in: "workspace",
    needs: "workspace:manage",
    emits: ["member.updated"],
    views: ["member:view"],
    alone: true,
  },
  "serviceAccount.delete": {
    on: "member",
    in: "workspace",
    needs: "workspace:manage",
    emits: ["member.removed", ...accessChanges],
    alone: true,
  },
  "serviceAccount.keys": { on: "member", in: "workspace", needs: "workspace:manage", keys: "none" },
  "serviceAccount.createKey": {
    on: "member",
    in: "workspace",
    needs: "workspace:manage",
    keys: "none",
    alone: true,
  },
  "serviceAccount.revokeKey": {
    on: "member",
    in: "workspace",
    needs: "workspace:manage",
    keys: "none",
    alone: true,
  },
  "app.list": { on: "workspace", needs: "workspace:manage" },
  "app.forbid": { on: "workspace", needs: "workspace:manage", keys: "none", alone: true },
  "app.allow": { on: "workspace", needs: "workspace:manage", keys: "none", alone: true },
  "invite.getLink": { on: "workspace", needs: "member:invite" },
  "invite.createLink": { on: "workspace", needs: "member:invite", alone: true },
  "invite.deactivateLink": { on: "workspace", needs: "member:invite", alone: true },
  "invite.get": { on: "public" },
  "invite.accept": { on: "self", emits: ["member.joined", ...accessChanges] },

  "permission.ofMember": { on: "member", in: "workspace", needs: "member:view" },
  "permission.vocabulary": { on: "public" },
  "permission.mine": { on: "workspace", needs: "member" },
  "permission.grantToMember": {
    on: "member",
    in: "workspace",
    needs: "member:edit",
    emits: ["member.permissions_changed", ...accessChanges],
    views: ["member:view"],
  },
  "permission.revokeFromMember": {
    on: "member",
    in: "workspace",
    needs: "member:edit",
    emits: ["member.permissions_changed", ...accessChanges],
  },
  "permission.resetMember": {
    on: "member",
    in: "workspace",
    needs: "member:edit",
    emits: ["member.permissions_changed", ...accessChanges],
    views: ["member:view"],
  },
  "role.list": { on: "workspace", needs: "member:view" },
  "role.create": {
    on: "workspace",
    needs: "workspace:manage",
    creates: "role",
    emits: ["role.created"],
    returnsInput: true,
  },
  "role.update": {
    on: "role",
    in: "workspace",
    needs: "workspace:manage",
    emits: ["role.updated"],
    views: ["member:view"],
  },
  "role.delete": {
    on: "role",
    in: "workspace",
    needs: "workspace:manage",
    names: { role: ["moveMembersTo"] },
    emits: ["role.deleted", "member.role_changed", ...accessChanges],
  },
  "role.permissions": { on: "role", in: "workspace", needs: "member:view" },
  "role.revoke": {
    on: "role",
    in: "workspace",
    needs: "workspace:manage",
    emits: ["role.updated", ...accessChanges],
    views: ["member:view"],
  },
  "role.grant": {
    on: "role",
    in: "workspace",
    needs: "workspace:manage",
    emits: ["role.updated", ...accessChanges],
  },

  "board.get": {
    on: "board",
    needs: "board:view",
    uses: { workspace: ["lastCardNumber", "weekStartDay"] },
  },
  "board.list": { on: "workspace", needs: "board:view", boardKeys: "filtered" },
  "board.getBySlug": { on: "public" },
  "board.cards": { on: "board", needs: "card:view", uses: days },
  "board.queryCards": { on: "board", needs: "card:view", uses: days },
  "board.groups": { on: "board", needs: "card:view", views: ["board:view"], uses: days },
  "board.exportCsv": { on: "board", needs: "card:view", uses: days },
  "board.members": {
    on: "board",
    needs: "board:view",
    uses: { workspace: ["showEmailsToMembers"] },
  },
  "board.activity": { on: "board", needs: "board:view" },
  "board.checkSlugAvailability": { on: "board", needs: "board:edit", orCreator: true },
  "board.favourite": {
    on: "board",
    needs: "board:view",
    emits: ["favourite.added", "favourite.removed"],
  },
  "board.create": {
    on: "workspace",
    needs: "board:create",
    creates: "board",
    emits: ["board.created", "view.created"],
    returnsInput: true,
  },
  "board.update": {
    on: "board",
    needs: "board:edit",
    orCreator: true,
    emits: [
      "board.updated",
      "board.archived",
      "board.unarchived",
      "favourite.added",
      "favourite.removed",
      ...accessChanges,
    ],
    views: ["board:view"],
  },
  "board.delete": { on: "board", needs: "board:delete", orCreator: true, emits: ["board.deleted"] },
  "board.restore": {
    on: "board",
    needs: "board:delete",
    orCreator: true,
    evenDeleted: true,
    emits: ["board.restored"],
    views: ["board:view"],
  },
  "board.move": {
    on: "board",
    needs: "board:delete",
    emits: ["board.moved", "relation.deleted", "webhook.deleted", ...accessChanges],
    views: ["board:view"],
    alone: true,
  },
  "board.addMember": {
    on: "board",
    needs: "board:edit",
    orCreator: true,
    emits: ["board.member_added", ...accessChanges],
    views: ["board:view"],
  },
  "board.removeMember": {
    on: "board",
    needs: "board:edit",
    orCreator: true,
    emits: ["board.member_removed", ...accessChanges],
  },

  "list.get": { on: "list", needs: "list:view" },
  "list.create": {
    on: "board",
    needs: "list:create",
    creates: "list",
    emits: ["list.created"],
    returnsInput: true,
  },
  "list.cards": { on: "list", needs: "card:view" },
  "list.update": {
    on: "list",
    needs: "list:edit",
    orCreator: true,
    emits: ["list.updated", "list.moved", "list.archived", "list.unarchived"],
    views: ["list:view"],
  },
  "list.delete": { on: "list", needs: "list:delete", orCreator: true, emits: ["list.deleted"] },
  "list.restore": {
    on: "list",
    needs: "list:delete",
    uses: cardLimit,
    orCreator: true,
    evenDeleted: true,
    emits: ["list.restored"],
    views: ["list:view"],
  },
  "list.moveCards": {
    on: "list",
    needs: "card:edit",
    uses: cardLimit,
    names: { list: ["targetListPublicId"] },
    emits: ["card.moved", "label.created"],
    views: ["card:view"],
  },
  "list.move": {
    on: "list",
    needs: "list:edit",
    uses: cardLimit,
    names: { board: ["boardPublicId"] },
    emits: ["list.moved", "card.moved", "label.created"],
    views: ["list:view"],
  },
  "list.sort": {
    on: "list",
    needs: "card:edit",
    emits: ["list.sorted"],
    views: ["list:view"],
  },

  "card.get": { on: "card", needs: "card:view" },
  "card.getByNumber": { on: "workspace", needs: "card:view", boardKeys: "filtered" },
  "card.activities": { on: "card", needs: "card:view" },
  "card.watch": { on: "card", needs: "card:view" },
  "card.create": {
    on: "list",
    needs: "card:create",
    uses: { ...cardLimit, list: ["wipLimit", "wipMode"] },
    names: { label: ["labelPublicIds"], card: ["relations"] },
    creates: "card",
    emits: ["card.created", "relation.created"],
    returnsInput: true,
  },
  "card.update": {
    on: "card",
    needs: "card:edit",
    uses: cardLimit,
    names: {
      list: ["listPublicId"],
      label: ["labelPublicIds", "addLabelPublicIds"],
      card: ["addRelations", "removeRelations"],
    },
    orCreator: true,
    emits: [
      "card.updated",
      "card.moved",
      "card.archived",
      "card.unarchived",
      "card.completed",
      "card.label_added",
      "card.label_removed",
      "card.member_added",
      "card.member_removed",
      "label.created",
      "relation.created",
      "relation.deleted",
    ],
    views: ["card:view"],
  },
  "card.delete": { on: "card", needs: "card:delete", orCreator: true, emits: ["card.deleted"] },
  "card.restore": {
    on: "card",
    needs: "card:delete",
    uses: cardLimit,
    orCreator: true,
    evenDeleted: true,
    emits: ["card.restored"],
    views: ["card:view"],
  },
  "card.duplicate": {
    on: "card",
    needs: "card:create",
    uses: cardLimit,
    creates: "card",
    emits: ["card.created", "label.created"],
    views: ["card:view"],
    alone: true,
  },
  "card.toggleMember": {
    on: "card",
    needs: "card:edit",
    emits: ["card.member_added", "card.member_removed"],
    views: ["card:view"],
  },
  "card.toggleLabel": {
    on: "card",
    needs: "card:edit",
    uses: { card: [] },
    names: { label: ["labelPublicId"] },
    emits: ["card.label_added", "card.label_removed"],
  },
  "card.bulkUpdate": {
    on: "board",
    needs: "card:edit",
    uses: days,
    emits: [
      "card.updated",
      "card.moved",
      "card.archived",
      "card.unarchived",
      "card.completed",
      "card.label_added",
      "card.label_removed",
      "card.member_added",
      "card.member_removed",
      "relation.created",
      "relation.deleted",
    ],
    views: ["card:view"],
    alone: true,
  },
  "card.addLabel": {
    on: "card",
    needs: "card:edit",
    names: { label: ["labelPublicId"] },
    emits: ["card.label_added"],
    views: ["card:view"],
  },
  "card.removeLabel": {
    on: "card",
    needs: "card:edit",
    names: { label: ["labelPublicId"] },
    emits: ["card.label_removed"],
    views: ["card:view"],
  },
  "card.addMember": {
    on: "card",
    needs: "card:edit",
    emits: ["card.member_added"],
    views: ["card:view"],
  },
  "card.removeMember": {
    on: "card",
    needs: "card:edit",
    emits: ["card.member_removed"],
    views: ["card:view"],
  },
  "card.next": {
    on: "board",
    needs: "card:edit",
    uses: days,
    emits: ["card.claimed"],
    views: ["card:view"],
    alone: true,
  },
  "card.claim": {
    on: "card",
    needs: "card:edit",
    uses: { board: ["archivedAt"], list: ["archivedAt"] },
    emits: ["card.claimed"],
    views: ["card:view"],
  },
  "card.renewClaim": {
    on: "card",
    needs: "card:edit",
    emits: ["card.claim_renewed"],
    views: ["card:view"],
  },
  "card.releaseClaim": {
    on: "card",
    needs: "card:edit",
    emits: ["card.claim_released"],
    views: ["card:view"],
  },

  "relation.create": {
    on: "card",
    needs: "card:edit",
    names: { card: ["relatedCardPublicId"] },
    emits: ["relation.created"],
    views: ["card:view"],
  },
  "relation.update": {
    on: "card",
    needs: "card:edit",
    emits: ["relation.moved"],
    views: ["card:view"],
  },
  "relation.delete": {
    on: "card",
    needs: "card:edit",
    emits: ["relation.deleted"],
    views: ["card:view"],
  },

  "comment.list": { on: "card", needs: "comment:view" },
  "comment.create": {
    on: "card",
    needs: "comment:create",
    uses: { card: [] },
    creates: "comment",
    emits: ["comment.created"],
    returnsInput: true,
  },
  "comment.update": {
    on: "comment",
    in: "card",
    needs: "comment:edit",
    orCreator: true,
    emits: ["comment.updated"],
    views: ["comment:view"],
  },
  "comment.delete": {
    on: "comment",
    in: "card",
    needs: "comment:delete",
    orCreator: true,
    emits: ["comment.deleted"],
  },

  "label.list": { on: "board", needs: "board:view" },
  "label.get": { on: "label", needs: "board:view" },

  "label.create": {
    on: "board",
    needs: "card:edit",
    creates: "label",
    emits: ["label.created"],
    returnsInput: true,
  },
  "label.update": { on: "label", needs: "card:edit", emits: ["label.updated"], returnsInput: true },
  "label.delete": { on: "label", needs: "card:edit", emits: ["label.deleted"] },

  "field.list": { on: "board", needs: "board:view" },
  "field.create": {
    on: "board",
    needs: "board:edit",
    creates: "field",
    emits: ["field.created"],
    returnsInput: true,
  },
  "field.update": {
    on: "field",
    needs: "board:edit",
    emits: ["field.updated"],
    views: ["board:view"],
  },
  "field.delete": { on: "field", needs: "board:edit", emits: ["field.deleted"] },
  "field.restore": {
    on: "field",
    needs: "board:edit",
    evenDeleted: true,
    emits: ["field.restored"],
    views: ["board:view"],
  },

  "view.list": { on: "workspace", needs: "board:view", boardKeys: "filtered" },
  "view.get": { on: "view", needs: "board:view" },
  // Private ones. Those of a board need board:edit, those of the workspace workspace:edit.
  "view.create": {
    on: "workspace",
    needs: "board:view",
    names: { board: ["boardPublicId"] },
    creates: "view",
    emits: ["view.created", "private_view.created"],
  },
  // Those of the workspace need workspace:edit.
  "view.update": {
    on: "view",
    needs: "board:edit",
    orCreator: true,
    emits: ["view.updated", "private_view.updated"],
    views: ["board:view"],
  },
  "view.delete": {
    on: "view",
    needs: "board:edit",
    orCreator: true,
    emits: ["view.deleted", "private_view.deleted"],
  },
  "view.restore": {
    on: "view",
    needs: "board:edit",
    orCreator: true,
    evenDeleted: true,
    emits: ["view.restored", "private_view.restored"],
    views: ["board:view"],
  },
  "view.cards": { on: "view", needs: "card:view", views: ["board:view"], uses: days },
  "view.groups": { on: "view", needs: "card:view", views: ["board:view"], uses: days },

  "checklist.create": {
    on: "card",
    needs: "card:edit",
    creates: "checklist",
    emits: ["checklist.created"],
    returnsInput: true,
  },
  "checklist.update": {
    on: "checklist",
    needs: "card:edit",
    names: { card: ["cardPublicId"] },
    emits: ["checklist.updated", "checklist.moved"],
    views: ["card:view"],
  },
  "checklist.delete": { on: "checklist", needs: "card:edit", emits: ["checklist.deleted"] },
  "checklist.items": { on: "checklist", in: "card", needs: "card:view" },
  "checklist.addItem": {
    on: "checklist",
    needs: "card:edit",
    creates: "checklistItem",
    emits: ["checklist_item.created"],
    returnsInput: true,
  },
  "checklist.updateItem": {
    on: "checklistItem",
    needs: "card:edit",
    names: { checklist: ["checklistPublicId"] },
    emits: [
      "checklist_item.updated",
      "checklist_item.moved",
      "checklist_item.completed",
      "checklist_item.uncompleted",
    ],
    views: ["card:view"],
  },
  "checklist.convertItem": {
    on: "checklistItem",
    needs: "card:edit",
    uses: { ...cardLimit, card: ["number"] },
    names: { list: ["listPublicId"] },
    emits: ["card.created", "relation.created", "checklist_item.deleted"],
    views: ["card:view", "card:create"],
  },
  "checklist.deleteItem": {
    on: "checklistItem",
    needs: "card:edit",
    emits: ["checklist_item.deleted"],
  },

  "attachment.upload": {
    on: "card",
    needs: "card:edit",
    creates: "attachment",
    emits: ["attachment.created"],
    returnsInput: true,
    alone: true,
  },
  "attachment.link": {
    on: "card",
    needs: "card:edit",
    creates: "attachment",
    emits: ["attachment.created"],
    returnsInput: true,
  },
  "attachment.prepare": { on: "card", needs: "card:edit", creates: "attachment", alone: true },
  "attachment.confirm": {
    on: "attachment",
    needs: "card:edit",
    emits: ["attachment.created"],
    views: ["card:view"],
    alone: true,
  },
  "attachment.download": { on: "attachment", needs: "card:view" },
  "attachment.fileUrl": { on: "attachment", needs: "card:view" },
  "attachment.file": { on: "public", authenticates: true },
  "attachment.delete": { on: "attachment", needs: "card:edit", emits: ["attachment.deleted"] },

  "webhook.list": { on: "workspace", needs: "workspace:manage" },
  "webhook.get": { on: "webhook", in: "workspace", needs: "workspace:manage" },
  // A webhook receives events of all kinds.
  "webhook.create": {
    on: "workspace",
    needs: "workspace:manage",
    creates: "webhook",
    emits: ["webhook.created"],
    views: viewing,
    alone: true,
  },
  "webhook.update": {
    on: "webhook",
    in: "workspace",
    needs: "workspace:manage",
    emits: ["webhook.updated"],
    views: viewing,
    alone: true,
  },
  "webhook.delete": {
    on: "webhook",
    in: "workspace",
    needs: "workspace:manage",
    emits: ["webhook.deleted"],
  },
  "webhook.test": {
    on: "webhook",
    in: "workspace",
    needs: "workspace:manage",
    uses: { workspace: ["name"] },
    alone: true,
  },
  "webhook.rotateSecret": {
    on: "webhook",
    in: "workspace",
    needs: "workspace:manage",
    emits: ["webhook.secret_rotated"],
    alone: true,
  },
  "webhook.deliveries": { on: "webhook", in: "workspace", needs: "workspace:manage" },
  "webhook.delivery": { on: "webhook", in: "workspace", needs: "workspace:manage" },
  "webhook.redeliver": { on: "webhook", in: "workspace", needs: "workspace:manage" },
  "webhook.replay": { on: "webhook", in: "workspace", needs: "workspace:manage" },
  "webhook.catalogue": { on: "public" },

  "integration.authorize": { on: "self" },
  "integration.callback": { on: "public" },
  "integration.complete": { on: "self" },
  "integration.githubProjects": { on: "self" },
  "integration.providers": { on: "self" },
  "integration.disconnect": { on: "self" },
  "import.trelloBoards": { on: "self" },
  "import.trello": { on: "workspace", needs: "board:create", emits: importEvents, alone: true },
  "import.trelloFile": { on: "workspace", needs: "board:create", emits: importEvents, alone: true },
  "import.github": { on: "workspace", needs: "board:create", emits: importEvents, alone: true },
  "import.planka": { on: "workspace", needs: "board:create", emits: importEvents, alone: true },
  "import.kan": { on: "workspace", needs: "board:create", emits: importEvents, alone: true },
  "import.csv": { on: "workspace", needs: "board:create", emits: importEvents, alone: true },
  "import.csvPreview": { on: "workspace", needs: "board:create", alone: true },
  "import.list": { on: "workspace", needs: "member" },
  "import.get": { on: "import", needs: "member" },
  "import.report": { on: "import", needs: "member" },
  "import.people": { on: "import", needs: "member", views: viewingImported },
  "import.mapPeople": {
    on: "import",
    needs: "member:edit",
    emits: ["import.people_mapped"],
    views: viewingImported,
    alone: true,
  },
  "import.cancel": { on: "import", needs: "member", emits: ["import.cancelled"], alone: true },

  "health.check": { on: "public" },
  "stats.get": { on: "operator", announced: true },

  "operator.users": { on: "operator" },
  "operator.user": { on: "operator" },
  "operator.updateUser": { on: "operator", emits: ["member.updated"] },
  "operator.resetPassword": { on: "operator" },
  "operator.removeSecondFactors": { on: "operator" },
  "operator.deleteUser": { on: "operator", emits: ["member.removed", ...accessChanges] },
  "operator.workspaces": { on: "operator" },
  "operator.updateWorkspace": { on: "operator" },
  "operator.addAdmin": {
    on: "operator",
    emits: ["member.joined", "member.role_changed", ...accessChanges],
  },
  "operator.deleteWorkspace": { on: "operator", emits: ["workspace.deleted"] },
  "operator.restoreWorkspace": { on: "operator", emits: ["workspace.restored"] },
  "operator.jobs": { on: "operator" },
  "operator.retryJob": { on: "operator" },
  "operator.cancelJob": { on: "operator" },
  "operator.webhooks": { on: "operator" },
  "operator.disableWebhook": { on: "operator", emits: ["webhook.updated"] },
  "operator.deliveries": { on: "operator" },
  "operator.retryDelivery": { on: "operator" },
  "operator.imports": { on: "operator" },
  "operator.cancelImport": { on: "operator", emits: ["import.cancelled"] },
  "operator.log": { on: "operator" },
} as const satisfies Record<string, Rule>;

/** The name of an operation: `list.create`. */
export type Operation = keyof typeof policy;

/** Whether a name is that of an operation. */
export const isOperation = (name: string): name is Operation => Object.hasOwn(policy, name);

/** The rule of one operation. */
export type RuleOf<Name extends Operation> = (typeof policy)[Name];

/** The rule of any operation. */
export const ruleOf = (name: Operation): Rule => policy[name];

/** The permissions that the response of an operation requires in addition to `needs`. */
export const viewsOf = (rule: Rule): readonly Permission[] =>
  "views" in rule ? (rule.views ?? []) : [];

/** What an operation requires: a permission, `member`, `self`, `operator` or `public`. */
export function needOf(rule: Rule): string {
  if ("needs" in rule) return rule.needs;
  return rule.on;
}

/** The input field that names the target. */
export const idFieldOf = ({ on, by }: { on: ResourceKind; by?: "slug" }) =>
  by === "slug" ? `${on}Slug` : `${on}PublicId`;

/** Whether a secret in the input of an operation shows who calls. */
export const authenticatesCaller = (rule: Rule): boolean =>
  rule.on === "public" && rule.authenticates === true;

/** Whether an operation, if it writes, may be part of a batch: its rule finds its workspace. */
export const mayBeBatched = (rule: Rule): boolean => "needs" in rule && rule.alone !== true;
