import type { Operation } from "../../../src/contract/policy.ts";
import type { EventType } from "../../../src/contract/events.ts";
import { send, type Api } from "./call.ts";
import { inputs, type Target } from "./inputs.ts";
import { tenantTables } from "./snapshot.ts";
import { adminKey, type World } from "./world.ts";
import { transactionsOf } from "../../support/rows.ts";
import { statementOf } from "../../support/statement-of.ts";
import { findEvents } from "../../support/events.ts";

/** What a write of the inputs announces: its main event, and nothing that follows. */
export const main: Partial<Record<Operation, EventType>> = {
  "workspace.create": "workspace.created",
  "workspace.update": "workspace.updated",
  "workspace.delete": "workspace.deleted",
  "workspace.restore": "workspace.restored",
  "member.invite": "member.invited",
  "member.updateRole": "member.role_changed",
  "member.remove": "member.removed",
  "invite.accept": "member.joined",
  "serviceAccount.create": "member.joined",
  "serviceAccount.update": "member.updated",
  "serviceAccount.delete": "member.removed",
  "permission.grantToMember": "member.permissions_changed",
  "permission.revokeFromMember": "member.permissions_changed",
  "permission.resetMember": "member.permissions_changed",
  "role.create": "role.created",
  "role.update": "role.updated",
  "role.delete": "role.deleted",
  "role.revoke": "role.updated",
  "role.grant": "role.updated",
  "board.create": "board.created",
  "board.update": "board.updated",
  "board.delete": "board.deleted",
  "board.restore": "board.restored",
  "board.addMember": "board.member_added",
  "board.removeMember": "board.member_removed",
  "list.create": "list.created",
  "list.update": "list.updated",
  "list.delete": "list.deleted",
  "list.restore": "list.restored",
  "list.moveCards": "card.moved",
  "list.move": "list.moved",
  "list.sort": "list.sorted",
  "card.create": "card.created",
  "card.update": "card.updated",
  "card.bulkUpdate": "card.updated",
  "card.delete": "card.deleted",
  "card.restore": "card.restored",
  "card.duplicate": "card.created",
  "card.toggleLabel": "card.label_added",
  "card.toggleMember": "card.member_added",
  "card.addLabel": "card.label_added",
  "card.removeLabel": "card.label_removed",
  "card.addMember": "card.member_added",
  "card.removeMember": "card.member_removed",
  "card.next": "card.claimed",
  "card.claim": "card.claimed",
  "card.renewClaim": "card.claim_renewed",
  "card.releaseClaim": "card.claim_released",
  "relation.create": "relation.created",
  "relation.update": "relation.moved",
  "relation.delete": "relation.deleted",
  "comment.create": "comment.created",
  "comment.update": "comment.updated",
  "comment.delete": "comment.deleted",
  "label.create": "label.created",
  "label.update": "label.updated",
  "label.delete": "label.deleted",
  "field.create": "field.created",
  "field.update": "field.updated",
  "field.delete": "field.deleted",
  "field.restore": "field.restored",
  "view.update": "view.updated",
  "view.delete": "view.deleted",
  "view.restore": "view.restored",
  "checklist.create": "checklist.created",
  "checklist.update": "checklist.updated",
  "checklist.delete": "checklist.deleted",
  "checklist.addItem": "checklist_item.created",
  "checklist.updateItem": "checklist_item.updated",
  "checklist.deleteItem": "checklist_item.deleted",
  "webhook.create": "webhook.created",
  "webhook.update": "webhook.updated",
  "webhook.delete": "webhook.deleted",
  "webhook.rotateSecret": "webhook.secret_rotated",
  "attachment.upload": "attachment.created",
  "attachment.link": "attachment.created",
  "attachment.confirm": "attachment.created",
  "attachment.delete": "attachment.deleted",
  "import.trello": "import.started",
  "import.trelloFile": "import.started",
  "import.github": "import.started",
  "import.planka": "import.started",
  "import.kan": "import.started",
  "import.csv": "import.started",
  "import.cancel": "import.cancelled",
  "import.mapPeople": "import.people_mapped",
  "operator.addAdmin": "member.joined",
  "operator.deleteWorkspace": "workspace.deleted",
  "operator.restoreWorkspace": "workspace.restored",
  "operator.disableWebhook": "webhook.updated",
  "operator.cancelImport": "import.cancelled",
};

/** Writes whose events concern another user or two resources; they have tests of their own. */
export const apart: Operation[] = [
  // An event of each of two cards.
  "relation.create",
  "relation.delete",
  "checklist.convertItem",
  "board.move",
  "member.leave",
  "operator.deleteUser",
  "operator.updateUser",
  "user.delete",
  "user.update",
  "view.create",
  "workspace.import",
];

/** The writes that change fields of what is there; the same again changes nothing. */
export const updates: Operation[] = [
  "workspace.update",
  "operator.disableWebhook",
  "member.updateRole",
  "member.remove",
  "serviceAccount.delete",
  "permission.grantToMember",
  "permission.revokeFromMember",
  "permission.resetMember",
  "role.update",
  "role.grant",
  "role.revoke",
  "board.update",
  "list.update",
  "card.update",
  "card.bulkUpdate",
  "comment.update",
  "label.update",
  "field.update",
  "view.update",
  "checklist.update",
  "checklist.updateItem",
  "webhook.update",
];

/** The events of a request, in their order. */
export const eventsOf = ({ db }: Pick<World["app"], "db">, requestId: string) =>
  findEvents({ db }, { where: { requestId }, orderBy: { id: "asc" } });

/** An event as the database has it. */
export type Event = Awaited<ReturnType<typeof eventsOf>>[number];

let count = 0;

/** Performs an operation and returns its events. */
export async function perform(
  world: World,
  api: Api,
  operation: Operation,
  { credential, made }: { credential?: string; made?: Target } = {},
) {
  const { app, fixtures } = world;
  const target = made ?? (await inputs[operation](world, fixtures.admin));
  const requestId = `events-${++count}`;
  const token = credential ?? target.token ?? fixtures.admin.token;
  const { status, text } = await send(app, api, operation, target.input, token, {
    "X-Request-Id": requestId,
    "X-Admin-Key": adminKey,
  });
  const events = await eventsOf(app, requestId);
  await target.undo?.();
  return { status, text, requestId, events, target };
}

/** The number of tenant rows that the transaction of events has written beside them. */
export async function writtenWith(app: World["app"], events: Event[]): Promise<number> {
  const [xmin] = await transactionsOf(app, events);
  const tables = (await tenantTables(app)).filter((table) => table !== "events");
  const counts = [...tables, "workspaces"].map(
    (table) => `SELECT count(*) AS n FROM ${table} WHERE xmin::text = $1`,
  );
  const rows = await app.db.read<{ n: bigint }>(statementOf(counts.join(" UNION ALL "), [xmin]));
  return rows.reduce((sum, { n }) => sum + Number(n), 0);
}
