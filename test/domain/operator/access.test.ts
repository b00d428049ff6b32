import { describe, expect, test } from "vitest";
import { policy, ruleOf, type Operation } from "../../../src/contract/policy.ts";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { makeUser, makeWorkspace } from "../../support/make.ts";
import { makeOperator } from "../../support/operator.ts";
import { request, withDeps } from "../auth/account.ts";

const ADMIN_KEY = "the key of the operator";
const app = useApp({ env: { ADMIN_KEY }, isolated: true });
const key = { headers: { "X-Admin-Key": ADMIN_KEY } };
const users = "/operator/users";

const operations = (Object.keys(policy) as Operation[]).filter((name) => {
  const rule = ruleOf(name);
  return rule.on === "operator" && rule.announced !== true;
});

describe("an operation of operators", () => {
  test.each(operations)("does not exist for others: %s", async (name) => {
    const { admin } = await makeWorkspace(app());
    const { body } = await admin.rest.post("/auth/api-keys", {
      name: "key",
      password: "a password for tests",
    });
    // Over tRPC, with an input that no operation accepts: the refusal comes before its check.
    for (const token of [undefined, admin.token, body.key]) {
      for (const method of ["GET", "POST"]) {
        const sent = method === "POST" ? { body: { unknown: 1 } } : {};
        const reply = await app().call({ method, path: `/trpc/${name}`, token, ...sent });
        expect([404, 405]).toContain(reply.status);
      }
    }
  });

  test("is 401 for a wrong key and an ended session, so that clients know what to renew", async () => {
    const { rest } = as(app());
    const wrong = await rest.get(users, { headers: { "X-Admin-Key": "wrong" } });
    expect(wrong).toMatchObject({ status: 401, body: { issues: [{ code: "admin_key_wrong" }] } });
    const operator = await makeUser(app());
    await makeOperator(app(), operator.publicId);
    await operator.rest.post("/auth/logout");
    const ended = await operator.rest.get(users);
    expect(ended).toMatchObject({
      status: 401,
      body: { issues: [{ code: "credential_expired" }] },
    });
  });

  test("works for operators' accounts without ADMIN_KEY, which is refused as a header", async () => {
    const operator = await makeUser(app());
    await makeOperator(app(), operator.publicId);
    const { ADMIN_KEY: _, ...config } = app().deps.config;
    const call = withDeps(app(), { config });
    expect((await call(request("GET", users, operator.token))).status).toBe(200);
    const withKey = request("GET", users);
    withKey.headers.set("X-Admin-Key", ADMIN_KEY);
    expect((await call(withKey)).status).toBe(403);
  });
});

test("operators make operators, and the last one stays where there is no ADMIN_KEY", async () => {
  const [first, second] = [await makeUser(app()), await makeUser(app())];
  const { rest } = as(app());
  const path = (user: { publicId: string }) => `${users}/${user.publicId}`;
  const made = await rest.put(path(first), { isOperator: true }, key);
  expect(made).toMatchObject({ status: 200, body: { isOperator: true, email: first.email } });
  expect((await second.rest.get(users)).status).toBe(404);
  expect((await first.rest.put(path(second), { isOperator: true })).status).toBe(200);
  expect((await second.rest.get(`${users}?isOperator=true`)).status).toBe(200);
  expect((await second.rest.get("/stats")).status).toBe(200);

  const { ADMIN_KEY: _, ...config } = app().deps.config;
  const call = withDeps(app(), { config });
  const change = (body: object) => call(request("PUT", path(first), first.token, body));
  for (const { publicId } of (await rest.get(`${users}?isOperator=true`, key)).body.items) {
    if (publicId !== first.publicId) {
      await rest.put(path({ publicId }), { isOperator: false }, key);
    }
  }
  for (const last of [{ isOperator: false }, { isDisabled: true }]) {
    const { status, body } = await change(last);
    expect({ status, code: body.issues[0].code }).toEqual({ status: 409, code: "last_operator" });
  }
  for (const at of [`${users}/${first.publicId}`, "/users/me"]) {
    const own = at === "/users/me" ? { password: "a password for tests" } : undefined;
    const { status, body } = await call(request("DELETE", at, first.token, own));
    expect([at, status, body.issues[0].code]).toEqual([at, 409, "last_operator"]);
  }
  expect((await rest.put(path(first), { isOperator: false }, key)).status).toBe(200);
  expect((await first.rest.get(users)).status).toBe(404);
});

test("the operator's log says who did what, with which input, and from where", async () => {
  const operator = await makeUser(app());
  await makeOperator(app(), operator.publicId);
  const user = await makeUser(app());
  const path = `${users}/${user.publicId}`;
  await operator.rest.put(path, { isDisabled: true }, { headers: { "X-Request-Id": "disabling" } });
  await as(app()).rest.put(path, { isDisabled: false }, key);
  // A refused write leaves nothing.
  await operator.rest.put(`${users}/${"x".repeat(12)}`, { isDisabled: true });
  const { body } = await operator.rest.get("/operator/log?limit=2");
  expect(body.items).toMatchObject([
    {
      operation: "operator.updateUser",
      input: { userPublicId: user.publicId, isDisabled: false },
      operator: null,
    },
    {
      operation: "operator.updateUser",
      input: { userPublicId: user.publicId, isDisabled: true },
      operator: { publicId: operator.publicId, email: operator.email },
      requestId: "disabling",
      ip: "local",
    },
  ]);
});
