import { expect, test } from "vitest";
import type { Operation } from "../../src/contract/policy.ts";
import { useRoundTrips } from "../support/round-trips.ts";
import { apisOf, operations, send, writes } from "./access/call.ts";
import { inputs } from "./access/inputs.ts";
import { card } from "./access/targets.ts";
import { adminKey, useWorld } from "./access/world.ts";

/** The most round trips of a write: to authorize it, to write, and to publish its events. */
const most = 3;

/** The writes that take more, and how many. Those with transactions of their own vary by two. */
const more: Partial<Record<Operation, number>> = {
  "auth.register": 4,
  "auth.login": 4,
  "auth.refresh": 5,
  "auth.logout": 4,
  "auth.changePassword": 8,
  "auth.requestPasswordReset": 5,
  "auth.resetPassword": 10,
  "auth.resendVerification": 5,
  "auth.createApiKey": 10,
  "user.update": 7,
  "user.readNotification": 4,
  "user.readAllNotifications": 4,
  "user.delete": 38,
  "workspace.create": 6,
  "workspace.import": 20,
  "member.invite": 16,
  "member.updateRole": 10,
  "member.remove": 17,
  "member.leave": 18,
  "invite.createLink": 4,
  // Both lock the account, and count what it has.
  "workspace.restore": 5,
  "invite.accept": 15,
  "permission.grantToMember": 12,
  "permission.revokeFromMember": 11,
  "permission.resetMember": 12,
  "role.delete": 12,
  "role.grant": 7,
  "role.revoke": 7,
  "board.create": 6,
  "board.restore": 7,
  "board.move": 4,
  "board.favourite": 4,
  "board.addMember": 8,
  "board.removeMember": 8,
  "list.restore": 9,
  "list.moveCards": 12,
  "list.sort": 10,
  "card.duplicate": 17,
  "card.bulkUpdate": 7,
  "attachment.upload": 14,
  "attachment.prepare": 7,
  "attachment.confirm": 7,
  "attachment.delete": 4,
  "webhook.create": 7,
  "webhook.update": 6,
  "webhook.delete": 5,
  "webhook.rotateSecret": 5,
  "webhook.redeliver": 6,
  "webhook.replay": 5,
  "integration.callback": 5,
  "integration.complete": 5,
  "import.trello": 7,
  "import.trelloFile": 9,
  "import.github": 8,
  "import.cancel": 7,
  "import.mapPeople": 12,
};

/** The writes with transactions of their own: an Idempotency-Key is claimed before them. */
const claimedFirst = new Set<Operation>([
  "auth.register",
  "auth.login",
  "auth.refresh",
  "auth.changePassword",
  "auth.requestPasswordReset",
  "auth.resetPassword",
  "auth.createApiKey",
  "user.delete",
  "workspace.restore",
  "workspace.import",
  "member.leave",
  "member.remove",
  "board.move",
  "list.moveCards",
  "list.sort",
  "card.duplicate",
  "card.bulkUpdate",
  "attachment.upload",
  "attachment.confirm",
  "webhook.create",
  "webhook.update",
  "webhook.test",
  "integration.complete",
  "import.trello",
  "import.trelloFile",
  "import.github",
  "import.cancel",
]);

const world = useWorld();

const count = useRoundTrips();
const shown = (process.env["SHOW"] ?? "").split(",");

/** Calls an operation; prints its statements when the environment names it in `SHOW`. */
async function roundTripsOf(operation: Operation, headers: Record<string, string>) {
  const { app, estate } = world();
  const target = await inputs[operation](world(), estate.admin);
  const token = target.token ?? estate.admin.token;
  const [api] = apisOf(operation);
  const { roundTrips, statements } = await count(async () => {
    const { status, text } = await send(app, api, operation, target.input, token, headers);
    expect(status, text).toBe(200);
  });
  await target.undo?.();
  if (shown.includes(operation)) process.stdout.write(`${statements.join("\n")}\n`);
  return roundTrips;
}

test.each(operations.filter(writes))("%s waits for the database at most so often", async (name) => {
  const headers = { "X-Admin-Key": adminKey };
  const alone = await roundTripsOf(name, headers);
  const keyed = await roundTripsOf(name, { ...headers, "Idempotency-Key": `a key of ${name}` });
  expect(alone).toBeLessThanOrEqual((more[name] ?? most) + (claimedFirst.has(name) ? 2 : 0));
  expect(keyed - alone).toBeLessThanOrEqual(claimedFirst.has(name) ? 5 : 0);
});

const smallReads = ["workspace.list", "card.get"] as const;

test.each(smallReads)("%s waits for the database once", async (name) => {
  await roundTripsOf(name, {});
  expect(await roundTripsOf(name, {})).toBe(1);
});

test("a card without members is created without a search for recipients", async () => {
  const { statements } = await count(() => card(world()));
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.filter((text) => text.includes("recipients"))).toEqual([]);
});

test("a batch of 50 moves waits for the database about once for each move", async () => {
  const { app, estate } = world();
  const cards: string[] = [];
  for (let nth = 0; nth < 50; nth++) cards.push(await card(world()));
  const moves = cards.map((cardPublicId) => ({
    operation: "card.update",
    input: { cardPublicId, index: 0 },
  }));
  const input = { workspacePublicId: estate.ids.workspace, operations: moves };
  const { roundTrips, statements } = await count(async () => {
    const { status, text } = await send(app, "REST", "workspace.batch", input, estate.admin.token);
    expect(status, text).toBe(200);
  });
  expect(roundTrips).toBeLessThan(60);
  expect(statements.length).toBeLessThan(7 * 50 + 20);
});
