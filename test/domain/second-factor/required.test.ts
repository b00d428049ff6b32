import { describe, expect, test } from "vitest";
import { ruleOf } from "../../../src/contract/policy.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { oneApiOf, operations, send } from "../../kernel/access/call.ts";
import { inputs } from "../../kernel/access/inputs.ts";
import { useWorld } from "../../kernel/access/world.ts";
import { useApp, type App } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { join, makeBoard, makeCard, makeUser, makeWorkspace } from "../../support/make.ts";
import { makeOperator } from "../../support/operator.ts";
import { addTotp } from "../../support/second-factor.ts";

const password = "a password for tests";
const codeOf = (reply: { body: any }) => reply.body.issues?.[0]?.code;

const require = (app: App, isRequired: boolean) =>
  app.db.write(sql`UPDATE workspaces SET "requiresSecondFactor" = ${isRequired}`);

describe("a person without a second factor, in a workspace that requires one", () => {
  const world = useWorld();

  const asking = operations.filter((name) => {
    const rule = ruleOf(name);
    return "needs" in rule && !rule.withoutFactor;
  });

  test.each(asking)("cannot %s", async (name) => {
    const { app, fixtures } = world();
    const { input, undo } = await inputs[name](world(), undefined);
    await require(app, true);
    try {
      const [api = "REST"] = oneApiOf(name);
      const { status, text } = await send(app, api, name, input, fixtures.admin.token);
      expect([status, text]).toEqual([403, expect.stringContaining("second_factor_missing")]);
    } finally {
      await require(app, false);
      await undo?.();
    }
  });
});

const app = useApp();

/** A workspace that requires a second factor of its members; its admin has one. */
async function start() {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const board = await makeBoard(workspace);
  const card = await makeCard(admin, board.lists[0] ?? "");
  const member = await join(app(), workspace, "member");
  const key = await member.rest.post("/auth/api-keys", { name: "Program", password });
  const { body: bot } = await admin.rest.post(
    `/workspaces/${workspace.publicId}/service-accounts`,
    { name: "Bot", role: "member" },
  );
  const { body: botKey } = await admin.rest.post(
    `/workspaces/${workspace.publicId}/service-accounts/${bot.publicId}/keys`,
    { name: "Bot" },
  );
  const path = `/workspaces/${workspace.publicId}`;
  const early = await admin.rest.put(path, { requiresSecondFactor: true });
  expect([early.status, codeOf(early)]).toEqual([403, "second_factor_missing"]);
  await addTotp(app(), admin);
  return { workspace, admin, board, card, member, key: key.body.key, bot: botKey.key, path };
}

test("an admin with a factor turns it on; others need a factor from then on", async () => {
  const { admin, board, member, key, bot, path, workspace } = await start();
  const on = await admin.rest.put(path, { requiresSecondFactor: true });
  expect([on.status, on.body.requiresSecondFactor]).toEqual([200, true]);
  const read = `/boards/${board.publicId}`;
  for (const token of [member.token, key]) {
    const refused = await as(app(), token).rest.get(read);
    expect([refused.status, codeOf(refused)]).toEqual([403, "second_factor_missing"]);
  }
  expect((await as(app(), bot).rest.get(read)).status).toBe(200);
  const { body: listed } = await member.rest.get("/workspaces");
  expect(listed.map((entry: any) => entry.workspace.publicId)).toContain(workspace.publicId);
  await addTotp(app(), member);
  for (const token of [member.token, key]) {
    expect((await as(app(), token).rest.get(read)).status).toBe(200);
  }
});

test("who has none may leave it", async () => {
  const { admin, member, path } = await start();
  await admin.rest.put(path, { requiresSecondFactor: true });
  expect((await member.rest.post(`${path}/members/leave`)).status).toBe(200);
});

test("only who manages the workspace decides it", async () => {
  const { member, path, workspace } = await start();
  await addTotp(app(), member);
  const role = workspace.roles.member;
  await app().db.write(sql`UPDATE roles SET permissions = permissions || '{workspace:edit}'
    WHERE "publicId" = ${role}`);
  const refused = await member.rest.put(path, { requiresSecondFactor: true });
  expect([refused.status, codeOf(refused)]).toEqual([403, "workspace:manage"]);
});

test("what is read of all workspaces at once leaves it out", async () => {
  const { admin, card, member, path, workspace } = await start();
  await admin.rest.put(`/cards/${card}`, { dueDate: app().deps.clock().toISOString() });
  const { body: me } = await member.rest.get(path);
  const added = await admin.rest.post(`/cards/${card}/members`, {
    memberPublicId: me.memberPublicId,
  });
  expect(added.status).toBe(200);
  const cards = async () => (await member.rest.get("/users/me/cards")).body.items.length;
  const notes = async () => (await member.rest.get("/users/me/notifications")).body.items.length;
  expect(await cards()).toBe(1);
  const before = await notes();
  expect(before).toBeGreaterThan(0);
  await admin.rest.put(path, { requiresSecondFactor: true });
  expect([await cards(), await notes()]).toEqual([0, 0]);
  const named = await member.rest.get(`/users/me/cards?workspacePublicId=${workspace.publicId}`);
  expect(codeOf(named)).toBe("second_factor_missing");
  await addTotp(app(), member);
  expect([await cards(), await notes()]).toEqual([1, before]);
});

describe("where the operator requires one of all", () => {
  const strict = useApp({ env: { REQUIRE_SECOND_FACTOR: "true" }, isolated: true });

  test("nobody reaches a workspace without, and everybody can set one up", async () => {
    const admin = await makeUser(strict());
    const { body: made } = await admin.rest.post("/workspaces", { name: "Strict" });
    const path = `/workspaces/${made.publicId}`;
    const refused = await admin.rest.get(path);
    expect([refused.status, codeOf(refused)]).toEqual([403, "second_factor_missing"]);
    expect((await admin.rest.get("/users/me/cards")).body.items).toEqual([]);
    await makeOperator(strict(), admin.publicId);
    const users = () => admin.rest.get("/operator/users");
    const closed = await users();
    expect([closed.status, codeOf(closed)]).toEqual([403, "second_factor_missing"]);
    await addTotp(strict(), admin);
    expect([(await admin.rest.get(path)).status, (await users()).status]).toEqual([200, 200]);
  });
});
