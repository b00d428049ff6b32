import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApp, useApp, type App } from "../../support/app.ts";
import { freshEmail, password, request, signUp, withDeps } from "./account.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { insertMember, insertWorkspace } from "../../support/state.ts";

const app = useApp({ isolated: true });
const name = "Ada Lovelace";
const register = (body: unknown, of: App = app()) =>
  of.call({ method: "POST", path: "/auth/register", body });
const userOf = (email: string, of: App = app()) =>
  of.db.reader.user.findUnique({ where: { email } });

describe("auth.register", () => {
  test("returns only tokens and the new user", async () => {
    const email = freshEmail();
    const { status, body } = await register({ email, password, name: "  Ada Lovelace " });
    expect(status).toBe(200);
    const now = app().deps.clock();
    expect(body).toEqual({
      accessToken: expect.stringMatching(/^ey[\w-]+\.[\w-]+\.[\w-]+$/),
      refreshToken: expect.stringMatching(/^rt_[\w-]{43}$/),
      tokenType: "Bearer",
      expiresAt: new Date((Math.floor(now.getTime() / 1000) + 900) * 1000).toISOString(),
      user: {
        publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
        email,
        name,
        image: null,
        timeZone: null,
        version: 1,
        createdAt: now.toISOString(),
      },
    });
    const me = await app().call({ method: "GET", path: "/users/me", token: body.accessToken });
    expect(me.body).toEqual(body.user);
  });

  test("needs no credential and ignores an invalid one", async () => {
    const body = { email: freshEmail(), password, name };
    const reply = await app().call({
      method: "POST",
      path: "/auth/register",
      body,
      token: "nonsense",
    });
    expect(reply.status).toBe(200);
  });

  test("trims an address and stores it in lower case", async () => {
    const email = freshEmail();
    const { body } = await register({ email: `  ${email.toUpperCase()} `, password, name });
    expect(body.user.email).toBe(email);
  });

  test("stores only the SHA-256 of a refresh token", async () => {
    const { refreshToken } = await signUp(app());
    const rows = await app().db.read<{ row: string }>(
      sql`SELECT row_to_json(t)::text AS row FROM refresh_tokens t`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toContain(refreshToken.slice(3));
    expect(rows.at(-1)?.row).toMatch(/"tokenHash":"[0-9a-f]{64}"/);
  });

  test.each([
    ["an address without @", { email: "ada.example.org" }, "email"],
    [
      "an address of more than 254 characters",
      { email: `${"a".repeat(243)}@example.org` },
      "email",
    ],
    ["an empty address", { email: " " }, "email"],
    ["an address that is no text", { email: null }, "email"],
    ["a password of 7 characters", { password: "k4$Tq9z" }, "password"],
    ["a password of 257 characters", { password: "k4$Tq9z ".repeat(33).slice(0, 257) }, "password"],
    ["an empty name", { name: "  " }, "name"],
    ["a name of 256 characters", { name: "x".repeat(256) }, "name"],
    ["an unknown field", { isAdmin: true }, "isAdmin"],
  ])("rejects %s", async (_, wrong, field) => {
    const { status, body } = await register({ email: freshEmail(), password, name, ...wrong });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "BAD_REQUEST", message: "Invalid input data" });
    expect(body.issues.map((issue: { path: string[] }) => issue.path)).toEqual([[field]]);
  });

  test("accepts passwords of 8 and of 256 characters, by code points", async () => {
    for (const good of ["k4$Tq9zü", "🦦".repeat(8), "k4$Tq9z ".repeat(32), "🦦".repeat(256)]) {
      const email = freshEmail();
      expect((await register({ email, password: good, name })).status).toBe(200);
      const login = { method: "POST", path: "/auth/login", body: { email, password: good } };
      expect((await app().call(login)).status).toBe(200);
    }
  });

  test.each(["password", "PassWord1", "qwertyuiop", "12345678", "trustno1", "Charlton"])(
    "rejects %s, one of the 3,000 most common passwords, in any case",
    async (common) => {
      const { status, body } = await register({ email: freshEmail(), password: common, name });
      expect(status).toBe(400);
      expect(body.issues).toEqual([
        {
          message: "Must not be one of the 3,000 most common passwords",
          path: ["password"],
          code: "custom",
        },
      ]);
    },
  );

  test("accepts the first password of 8 characters after the 3,000 most common", async () => {
    expect((await register({ email: freshEmail(), password: "bigmoney", name })).status).toBe(200);
  });

  test("rejects an address with an account, in any spelling", async () => {
    const { user } = await signUp(app());
    const { status, body } = await register({ email: user.email.toUpperCase(), password, name });
    expect(status).toBe(409);
    expect(body).toEqual({
      code: "CONFLICT",
      message: "Conflict",
      issues: [
        {
          message: "An account with this email address exists. Sign in, or reset its password.",
          path: ["email"],
          code: "email_taken",
        },
      ],
    });
  });

  test("creates one account for concurrent registrations of an address; the others get 409", async () => {
    const email = freshEmail();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => register({ email, password, name })),
    );
    const won = replies.filter(({ status }) => status === 200);
    const lost = replies.filter(({ status }) => status === 409);
    expect([won.length, lost.length]).toEqual([1, 7]);
    const rows = await app().db.read(sql`SELECT 1 FROM users WHERE email = ${email}`);
    expect(rows).toHaveLength(1);
  });

  test("with an Idempotency-Key returns the same tokens to a retry", async () => {
    const call = {
      method: "POST",
      path: "/auth/register",
      body: { email: freshEmail(), password, name },
      headers: { "Idempotency-Key": "sign-me-up" },
    };
    const [first, second] = [await app().call(call), await app().call(call)];
    expect(second.status).toBe(200);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(second.body).toEqual(first.body);
    const stored = await app().db.read<{ response: string }>(
      sql`SELECT encode(response, 'escape') AS response FROM idempotency_keys`,
    );
    expect(JSON.stringify(stored)).not.toContain(first.body.refreshToken);
  });

  test("works over tRPC, with the same responses", async () => {
    const call = {
      method: "POST",
      path: "/trpc/auth.register",
      body: { email: freshEmail(), password, name },
    };
    const made = await app().call(call);
    expect(made.status).toBe(200);
    expect(made.body.result.data.user.email).toBe(call.body.email);
    const again = await app().call(call);
    expect(again.status).toBe(409);
    expect(again.body.error.data).toMatchObject({
      code: "CONFLICT",
      issues: [
        {
          message: "An account with this email address exists. Sign in, or reset its password.",
          path: ["email"],
          code: "email_taken",
        },
      ],
    });
  });

  test("logs no password and no token, also on errors", async () => {
    const lines: string[] = [];
    const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
    const send = withDeps(app(), { log });
    const email = freshEmail();
    const made = await send(
      request("POST", "/auth/register", undefined, { email, password, name }),
    );
    const { accessToken, refreshToken } = made.body;
    await send(request("POST", "/auth/register", undefined, { email, password, name }));
    await send(
      request("POST", "/auth/register", undefined, { email: 5, password, name, more: password }),
    );
    await send(request("POST", "/auth/login", undefined, { email, password: `${password}!` }));
    await send(request("POST", "/auth/refresh", undefined, { refreshToken }));
    app().advance(11_000);
    await send(request("POST", "/auth/refresh", undefined, { refreshToken }));
    await send(request("GET", "/users/me", accessToken));
    const logged = lines.join("\n");
    expect(logged).toContain("refresh token was used twice");
    for (const secret of [password, accessToken, refreshToken])
      expect(logged).not.toContain(secret);
  });
});

describe("auth.register with SIGN_UP=closed", () => {
  let closed: App;
  beforeAll(async () => {
    closed = await startApp({ env: { SIGN_UP: "closed" } });
  });
  afterAll(() => closed.close());

  test("rejects every registration, after validation", async () => {
    const { status, body } = await register({ email: freshEmail(), password, name }, closed);
    expect(status).toBe(403);
    expect(body).toEqual({
      code: "FORBIDDEN",
      message: "Insufficient access",
      issues: [{ message: "Sign-up is closed.", code: "sign_up_refused" }],
    });
    expect((await register({ email: "x", password, name }, closed)).status).toBe(400);
  });
});

describe("auth.register with SIGN_UP=invited", () => {
  let invited: App;
  beforeAll(async () => {
    invited = await startApp({ env: { SIGN_UP: "invited" } });
  });
  afterAll(() => invited.close());

  async function invite(
    email: string,
    status: "invited" | "removed",
    deletedAt: Date | null = null,
  ) {
    const workspace = await insertWorkspace(invited, deletedAt);
    const { id } = await insertMember(invited, workspace, { email, role: "guest", status });
    return invited.db.reader.member.findUniqueOrThrow({ where: { id } });
  }

  test("accepts an invited address and leaves its invite unchanged", async () => {
    const email = freshEmail();
    const member = await invite(email, "invited");
    const { status } = await register({ email: email.toUpperCase(), password, name }, invited);
    expect(status).toBe(200);
    const after = await invited.db.reader.member.findUnique({ where: { id: member.id } });
    expect(after).toEqual(member);
  });

  test("rejects an address without an open invite", async () => {
    const removed = freshEmail();
    await invite(removed, "removed");
    const gone = freshEmail();
    await invite(gone, "invited", new Date());
    for (const email of [freshEmail(), removed, gone]) {
      const { status, body } = await register({ email, password, name }, invited);
      expect(status).toBe(403);
      expect(body.issues).toEqual([
        { message: "Sign-up is for those who have been invited.", code: "sign_up_refused" },
      ]);
      expect(await userOf(email, invited)).toBeNull();
    }
  });
});
