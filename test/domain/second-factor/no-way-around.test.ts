import { expect, test } from "vitest";
import { appRouter } from "../../../src/app/router/index.ts";
import { ruleOf } from "../../../src/contract/policy.ts";
import { SignedIn, Tokens } from "../../../src/contract/resources/auth.ts";
import { definitionOf } from "../../../src/kernel/procedures/builder.ts";
import { publicId } from "../../../src/platform/db/public-id.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { oneApiOf, operations, send, writes } from "../../kernel/access/call.ts";
import { inputs } from "../../kernel/access/inputs.ts";
import { makeUser } from "../../kernel/access/fixtures.ts";
import { insertIdentity } from "../../kernel/access/rows.ts";
import { useWorld, adminKey } from "../../kernel/access/world.ts";
import { as } from "../../support/as.ts";
import { addTotp, challengeOf, codeAt } from "../../support/second-factor.ts";

const world = useWorld();
const password = "a password for tests";

const outputOf = (name: string) =>
  definitionOf(Reflect.get(appRouter._def.procedures, name)).output.schema;

/** What answers tokens of sessions, as the schemas say. */
const opening = operations.filter((name) => {
  const schema = outputOf(name);
  return schema === SignedIn || schema === Tokens;
});

test("the operations that answer tokens of sessions are known", () => {
  expect(opening.toSorted()).toEqual([
    "auth.confirm",
    "auth.login",
    "auth.refresh",
    "auth.register",
    "signIn.finish",
  ]);
});

/** The sessions of accounts that have a second factor. */
const sessions = async () => {
  const rows = await world().app.db.read<{ id: bigint }>(sql`SELECT s.id FROM sessions s
    JOIN users u ON u.id = s."userId" AND u."hasSecondFactor" ORDER BY s.id`);
  return rows.map(({ id }) => id);
};

/** Who is not signed in, or only as themselves: operations on workspaces need a session before. */
const others = operations.filter(
  (name) => writes(name) && name !== "auth.confirm" && !("needs" in ruleOf(name)),
);

test.each(others)(
  "%s opens no session of an account with a second factor",
  async (name) => {
    const { app, fixtures } = world();
    const { input, token, undo } = await inputs[name](world(), undefined);
    await app.db.write(sql`UPDATE users SET "hasSecondFactor" = true WHERE NOT "isService"`);
    const before = await sessions();
    const [api = "REST"] = oneApiOf(name);
    const caller = token ?? fixtures.admin.token;
    await send(app, api, name, input, caller, { "X-Admin-Key": adminKey });
    const made = (await sessions()).filter((id) => !before.includes(id));
    await app.db.write(sql`UPDATE users u SET "hasSecondFactor" = EXISTS (
      SELECT 1 FROM second_factors f WHERE f."userId" = u.id)`);
    await undo?.();
    expect(made).toEqual([]);
  },
  120_000,
);

test("a password that was reset still needs the factor", async () => {
  const { app } = world();
  const owner = await makeUser(app, "Reset");
  const { secret } = await addTotp(app, owner);
  const path = `/operator/users/${owner.publicId}/password-reset`;
  const { body: link } = await app.call({
    method: "POST",
    path,
    body: {},
    headers: { "X-Admin-Key": adminKey },
  });
  const newPassword = "another password for tests";
  const body = { token: link.token, newPassword };
  expect((await app.call({ method: "POST", path: "/auth/password/reset", body })).status).toBe(200);
  const login = { email: owner.email, password: newPassword };
  const refused = await app.call({ method: "POST", path: "/auth/login", body: login });
  expect(refused.body.issues[0].code).toBe("second_factor_required");
  const { challenge } = refused.body.issues[0].secondFactor;
  const confirmed = { challenge, code: codeAt(app, secret) };
  expect((await app.call({ method: "POST", path: "/auth/confirm", body: confirmed })).status).toBe(
    200,
  );
});

/** Signs in at the provider of an account that has a factor. */
async function throughProvider(amr: string[] | undefined) {
  const { app, google } = world();
  const owner = await makeUser(app, "Linked");
  await addTotp(app, owner);
  const subject = publicId();
  await insertIdentity(app, publicId(), owner.id);
  await app.db.write(sql`UPDATE identities SET issuer = ${google.url}, subject = ${subject}
    WHERE "userId" = ${owner.id}`);
  const start = { provider: "google", returnUrl: app.deps.baseUrl };
  const { body: begun } = await app.call({ method: "POST", path: "/sign-in/start", body: start });
  const back = google.signIn(begun.url, { sub: subject, ...(amr && { amr }) });
  const returned = await app.fetch(
    new Request(`${app.deps.baseUrl}${back.pathname}${back.search}`, { redirect: "manual" }),
  );
  const result = new URL(returned.headers.get("location") ?? "").searchParams.get("result");
  const body = { result, secret: begun.secret };
  return app.call({ method: "POST", path: "/sign-in/finish", body });
}

test("a provider counts as two factors only if it says so", async () => {
  for (const amr of [undefined, ["pwd"]]) {
    const refused = await throughProvider(amr);
    expect([refused.status, refused.body.issues[0].code]).toEqual([403, "second_factor_required"]);
  }
  expect((await throughProvider(["pwd", "mfa"])).status).toBe(200);
});

test("neither does the token of the issuer", async () => {
  const { app, issuer } = world();
  const email = `${publicId()}@example.com`;
  const claims = { sub: publicId(), email, email_verified: true };
  const one = as(app, await issuer.token(app.deps.clock(), claims));
  const { body: me } = await one.rest.get("/users/me");
  expect(me.email).toBe(email);
  const two = as(app, await issuer.token(app.deps.clock(), { ...claims, amr: ["mfa"] }));
  const own = await one.rest.post("/second-factors/totp/start", {});
  const add = { setup: own.body.setup, code: codeAt(app, own.body.secret, -1) };
  const refused = await one.rest.post("/second-factors/totp", add);
  expect([refused.status, refused.body.issues[0].code]).toEqual([409, "issuer_signs_in"]);
  expect((await two.rest.post("/second-factors/totp", add)).status).toBe(200);
  const later = await one.rest.get("/users/me");
  expect([later.status, later.body.issues[0].code]).toEqual([401, "account_refused"]);
  expect((await two.rest.get("/users/me")).status).toBe(200);
});

test("an operator removes the factors of who has lost them", async () => {
  const { app } = world();
  const owner = await makeUser(app, "Lost");
  await addTotp(app, owner);
  const path = `/operator/users/${owner.publicId}/second-factors`;
  const headers = { "X-Admin-Key": adminKey };
  await challengeOf(app, owner);
  expect((await app.call({ method: "DELETE", path, headers })).status).toBe(200);
  const body = { email: owner.email, password };
  expect((await app.call({ method: "POST", path: "/auth/login", body })).status).toBe(200);
  const { body: log } = await app.call({ method: "GET", path: "/operator/log", headers });
  expect(JSON.stringify(log)).toContain("operator.removeSecondFactors");
});
