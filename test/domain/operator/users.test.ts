import { expect, test } from "vitest";
import { mailsTo } from "../../kernel/jobs/fixtures.ts";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { join, makeUser, makeWorkspace } from "../../support/make.ts";
import { openStream } from "../../support/stream.ts";

const ADMIN_KEY = "the key of the operator";
const app = useApp({
  env: { ADMIN_KEY, APP_URL: "https://boards.example.com", VERIFY_EMAIL: "true" },
  isolated: true,
});
const users = "/operator/users";
const password = "a password for tests";

const rest = () => {
  const caller = as(app()).rest;
  const headers = { "X-Admin-Key": ADMIN_KEY };
  return {
    get: (path: string) => caller.get(path, { headers }),
    put: (path: string, body: object) => caller.put(path, body, { headers }),
    post: (path: string, body?: object) => caller.post(path, body, { headers }),
    delete: (path: string) => caller.delete(path, undefined, { headers }),
  };
};
const change = (user: { publicId: string }, body: object) =>
  rest().put(`${users}/${user.publicId}`, body);
const signIn = (email: string) =>
  app().call({ method: "POST", path: "/auth/login", body: { email, password } });

test("accounts are found by address, name and id, with what is known of each", async () => {
  const workspace = await makeWorkspace(app(), await makeUser(app(), "Ada Lovelace"));
  const { email, publicId } = workspace.admin;
  await makeUser(app(), "Charles");
  for (const find of [email.slice(2, 12).toUpperCase(), "lovelace", publicId]) {
    const { body } = await rest().get(`${users}?find=${encodeURIComponent(find)}`);
    expect(body.items).toEqual([
      expect.objectContaining({
        publicId,
        email,
        name: "Ada Lovelace",
        isEmailVerified: false,
        isDisabled: false,
        isOperator: false,
        workspaceCount: 1,
        lastSeenAt: expect.any(String),
      }),
    ]);
  }
  // Signs of patterns are ordinary text.
  expect((await rest().get(`${users}?find=%25`)).body.items).toEqual([]);
  const { body } = await rest().get(`${users}/${publicId}`);
  expect(body.workspaces).toMatchObject([{ publicId: workspace.publicId, role: "admin" }]);
  expect((await rest().get(`${users}/${"x".repeat(12)}`)).status).toBe(404);
});

test("pages have every account once", async () => {
  for (let n = 0; n < 3; n++) await makeUser(app(), "Paged");
  const seen: string[] = [];
  let cursor = "";
  do {
    const { body } = await rest().get(`${users}?find=Paged&limit=2${cursor}`);
    seen.push(...body.items.map((one: { publicId: string }) => one.publicId));
    cursor = body.nextCursor === null ? "" : `&cursor=${body.nextCursor}`;
  } while (cursor !== "");
  expect(new Set(seen).size).toBe(3);
  expect(seen).toHaveLength(3);
});

test("a disabled account's sessions, keys and streams end, and it signs in in no way", async () => {
  const workspace = await makeWorkspace(app());
  const member = await join(app(), workspace, "member");
  await change(member, { isEmailVerified: true });
  const { body: key } = await member.rest.post("/auth/api-keys", { name: "k", password });
  const { body: link } = await rest().post(`${users}/${member.publicId}/password-reset`);
  const { body: ticket } = await member.rest.post("/auth/stream-ticket");
  const { token } = member;
  const path = `/workspaces/${workspace.publicId}/events/stream`;
  const stream = await openStream(app(), path, { token });
  await stream.next();
  expect((await change(member, { isDisabled: true })).body).toMatchObject({ isDisabled: true });

  expect((await member.rest.get("/users/me")).status).toBe(401);
  expect((await as(app(), key.key).rest.get("/users/me")).status).toBe(401);
  expect((await as(app()).rest.get(`${path}?ticket=${ticket.ticket}`)).status).toBe(401);
  await workspace.admin.rest.put(`/workspaces/${workspace.publicId}`, { description: "news" });
  expect((await stream.rest()).map(({ event }) => event)).not.toContain("workspace.updated");
  const refreshed = await app().call({
    method: "POST",
    path: "/auth/refresh",
    body: { refreshToken: member.refreshToken },
  });
  expect(refreshed.status).toBe(401);
  expect(await signIn(member.email)).toMatchObject({
    status: 401,
    body: { issues: [{ code: "account_disabled" }] },
  });
  // Who does not know the password hears what everybody hears.
  const guess = { email: member.email, password: "another password" };
  const guessed = await app().call({ method: "POST", path: "/auth/login", body: guess });
  expect(guessed.body.issues).toMatchObject([{ code: "sign_in_failed" }]);
  const newPassword = { token: link.token, newPassword: "another horse, another staple" };
  expect((await as(app()).rest.post("/auth/password/reset", newPassword)).status).toBe(400);
  const { body: later } = await rest().post(`${users}/${member.publicId}/password-reset`);
  const laterReset = { ...newPassword, token: later.token };
  expect((await as(app()).rest.post("/auth/password/reset", laterReset)).status).toBe(400);

  await change(member, { isDisabled: false });
  expect((await as(app(), key.key).rest.get("/users/me")).status).toBe(401);
  expect((await signIn(member.email)).status).toBe(200);
});

test("an address changes in all workspaces, unverified unless it says so; 409 if it is taken", async () => {
  const workspace = await makeWorkspace(app());
  const member = await join(app(), workspace, "member");
  const other = await makeUser(app());
  const taken = await change(member, { email: other.email });
  expect(taken).toMatchObject({ status: 409, body: { issues: [{ code: "email_taken" }] } });
  await change(workspace.admin, { isEmailVerified: true });
  const invitation = { email: "invited@example.com" };
  await workspace.admin.rest.post(`/workspaces/${workspace.publicId}/members/invite`, invitation);
  expect((await change(member, { email: "invited@example.com" })).status).toBe(409);

  const { body } = await change(member, { email: "New@example.com" });
  expect(body).toMatchObject({ email: "new@example.com", isEmailVerified: false });
  expect(await mailsTo(app(), "new@example.com")).toMatchObject([
    { subject: "Verify your email address" },
  ]);
  expect((await member.rest.get("/users/me")).body.email).toBe("new@example.com");
  const path = `/workspaces/${workspace.publicId}/members/${member.memberPublicId}`;
  expect((await workspace.admin.rest.get(path)).body.email).toBe("new@example.com");
  const verified = await change(member, { email: "newer@example.com", isEmailVerified: true });
  expect(verified.body).toMatchObject({ email: "newer@example.com", isEmailVerified: true });
  expect(await mailsTo(app(), "newer@example.com")).toEqual([]);
});

test("a link for a new password is returned, or mailed and not returned", async () => {
  const user = await makeUser(app());
  const path = `${users}/${user.publicId}/password-reset`;
  const { body } = await rest().post(path);
  expect(body.url).toBe(`https://boards.example.com/reset-password?token=${body.token}`);
  const reset = { token: body.token, newPassword: password };
  expect((await as(app()).rest.post("/auth/password/reset", reset)).status).toBe(200);
  const mailed = await rest().post(path, { mail: true });
  expect(mailed.body).toMatchObject({ token: null, url: null });
  const mails = await mailsTo(app(), user.email);
  expect(mails.at(-1)).toMatchObject({ subject: "Reset your password" });
});

test("an account is deleted as its owner would: not while it is the last admin", async () => {
  const workspace = await makeWorkspace(app());
  const { publicId } = workspace.admin;
  const refused = await rest().delete(`${users}/${publicId}`);
  expect(refused).toMatchObject({ status: 409, body: { issues: [{ code: "last_admin" }] } });
  await join(app(), workspace, "admin");
  expect((await rest().delete(`${users}/${publicId}`)).status).toBe(200);
  expect((await rest().get(`${users}/${publicId}`)).status).toBe(404);
  expect((await workspace.admin.rest.get("/users/me")).status).toBe(401);
});
