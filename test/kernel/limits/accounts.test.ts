import { expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { waitsForLock } from "../events/open-lock.ts";
import { local } from "../../outbound/webhooks/hook.ts";
import { useApp, type Reply } from "../../support/app.ts";
import { makeUser, makeWorkspace, type User, type Workspace } from "../../support/make.ts";
import { minimalDocument } from "../../transfer/exports/minimal.ts";
import { send } from "../../transfer/imports/sending.ts";

const app = useApp({
  isolated: true,
  env: {
    ...local,
    LIMITS: "workspaces=2,memberships=3,webhooks=2,account_webhooks=3",
  },
});

function expectFull(reply: Pick<Reply, "status" | "body">, message: string) {
  expect(reply).toMatchObject({
    status: 409,
    body: { code: "CONFLICT", issues: [{ code: "limit_exceeded", message }] },
  });
}

const full = {
  workspaces: "An account has at most 2 workspaces that it created.",
  memberships: "An account has at most 3 memberships, including those of workspaces in the trash.",
  webhooks: "An account has at most 3 webhooks in the workspaces that it created.",
};

const create = (user: User) => user.rest.post("/workspaces", { name: "Another" });

async function inviteTo({ publicId, admin }: Workspace): Promise<string> {
  const path = `/workspaces/${publicId}/invites`;
  return (await admin.rest.post(path, { role: "member" })).body.inviteCode;
}

const accept = (user: User, inviteCode: string) =>
  user.rest.post("/invites/accept", { inviteCode });

async function fillAccount() {
  const user = await makeUser(app());
  const workspaces = [await makeWorkspace(app(), user), await makeWorkspace(app(), user)];
  return { user, workspaces, first: workspaces[0] as Workspace };
}

test("workspaces of an account are limited when they are created, restored and imported", async () => {
  const { user, first } = await fillAccount();
  expectFull(await create(user), full.workspaces);
  expectFull(await send(app(), user, minimalDocument()), full.workspaces);
  await user.rest.delete(`/workspaces/${first.publicId}`);
  expect((await create(user)).status).toBe(200);
  expectFull(await user.rest.post(`/workspaces/${first.publicId}/restore`), full.workspaces);
});

test("a restore waits for another write of the account", async () => {
  const { user, first } = await fillAccount();
  await user.rest.delete(`/workspaces/${first.publicId}`);
  const restoring = await app().db.transact(async (_, query) => {
    await query(sql`SELECT 1 FROM users WHERE "publicId" = ${user.publicId} FOR NO KEY UPDATE`);
    const reply = user.rest.post(`/workspaces/${first.publicId}/restore`);
    expect(await waitsForLock(app(), reply)).toBe(true);
    return { reply };
  });
  expect((await restoring.reply).status).toBe(200);
});

test("an account is a member of a limited number of workspaces, deleted ones included", async () => {
  const { user, first } = await fillAccount();
  const codes = await Promise.all([1, 2].map(async () => inviteTo(await makeWorkspace(app()))));
  const [third = "", fourth = ""] = codes;
  expect((await accept(user, third)).status).toBe(200);
  expectFull(await accept(user, fourth), full.memberships);
  await user.rest.delete(`/workspaces/${first.publicId}`);
  expectFull(await create(user), full.memberships);
  expectFull(await accept(user, fourth), full.memberships);
  expectFull(await send(app(), user, minimalDocument()), full.memberships);
});

test("an account that joins many workspaces at a time does not exceed the limit", async () => {
  const user = await makeUser(app());
  const made = Array.from({ length: 6 }, async () => inviteTo(await makeWorkspace(app())));
  const codes = await Promise.all(made);
  const replies = await Promise.all(codes.map((code) => accept(user, code)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
  expect((await user.rest.get("/workspaces")).body).toHaveLength(3);
});

test("webhooks are limited over all workspaces of the account that created them", async () => {
  const { user, workspaces } = await fillAccount();
  const hook = { name: "Hook", url: "http://127.0.0.1:9/", events: ["*"] };
  const pathOf = ({ publicId }: Workspace) => `/workspaces/${publicId}/webhooks`;
  const replies = await Promise.all(
    [...workspaces, ...workspaces].map((one) => user.rest.post(pathOf(one), hook)),
  );
  const [refused, ...more] = replies.filter(({ status }) => status !== 200);
  expect(more).toEqual([]);
  expectFull(refused as Reply, full.webhooks);
  // Another account has its own.
  const other = await makeWorkspace(app());
  expect((await other.admin.rest.post(pathOf(other), hook)).status).toBe(200);
});
