import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { signIn, signUp, statusOf } from "./account.ts";

const app = useApp();
const get = (path: string, token?: string) => app().call({ method: "GET", path, token });
const end = (publicId: string, token: string) =>
  app().call({ method: "DELETE", path: `/auth/sessions/${publicId}`, token });
const ended = {
  code: "UNAUTHORIZED",
  message: "Authorization not provided",
  issues: [{ message: "The credential has expired or was revoked.", code: "credential_expired" }],
};

describe("auth.logout", () => {
  test("revokes the current session at once, and no other", async () => {
    const one = await signUp(app());
    const other = await signIn(app(), one.user.email);
    const { status, body } = await app().call({
      method: "POST",
      path: "/auth/logout",
      token: one.accessToken,
    });
    expect(status).toBe(200);
    expect(body).toEqual({ success: true });
    const after = await get("/users/me", one.accessToken);
    expect(after.status).toBe(401);
    expect(after.body).toEqual(ended);
    expect(await statusOf(app(), other.accessToken)).toBe(200);
  });

  test("is rejected the second time", async () => {
    const { accessToken: token } = await signUp(app());
    await app().call({ method: "POST", path: "/auth/logout", token });
    expect((await app().call({ method: "POST", path: "/auth/logout", token })).status).toBe(401);
  });

  test("works over tRPC", async () => {
    const { accessToken: token } = await signUp(app());
    const { status, body } = await app().call({
      method: "POST",
      path: "/trpc/auth.logout",
      token,
      body: {},
    });
    expect(status).toBe(200);
    expect(body.result.data).toEqual({ success: true });
    const after = await app().call({ method: "GET", path: "/trpc/user.me?input={}", token });
    expect(after.status).toBe(401);
    expect(after.body.error.data).toMatchObject(ended);
  });

  test("requires a credential", async () => {
    const { status, body } = await app().call({ method: "POST", path: "/auth/logout" });
    expect(status).toBe(401);
    expect(body).toEqual({
      code: "UNAUTHORIZED",
      message: "Authorization not provided",
      issues: [],
    });
  });
});

describe("auth.sessions", () => {
  test("lists the caller's sessions, most recently used first, and marks the current one", async () => {
    const { user } = await signUp(app());
    app().advance(1_000);
    const phone = await signIn(app(), user.email, { "User-Agent": "phone/1" });
    const { status, body } = await get("/auth/sessions", phone.accessToken);
    expect(status).toBe(200);
    const now = app().deps.clock();
    expect(body).toHaveLength(2);
    expect(body[0]).toEqual({
      publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
      userAgent: "phone/1",
      ip: "local",
      isCurrent: true,
      createdAt: now.toISOString(),
      lastUsedAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + 30 * 24 * 60 * 60 * 1000).toISOString(),
    });
    expect(body[1]).toMatchObject({ isCurrent: false, userAgent: null });
  });

  test("excludes ended and expired sessions and those of others", async () => {
    const old = await signUp(app());
    await signUp(app());
    app().advance(31 * 24 * 60 * 60 * 1000);
    const gone = await signIn(app(), old.user.email);
    await app().call({ method: "POST", path: "/auth/logout", token: gone.accessToken });
    const here = await signIn(app(), old.user.email);
    const { body } = await get("/auth/sessions", here.accessToken);
    expect(body).toHaveLength(1);
    expect(body[0].isCurrent).toBe(true);
  });
});

describe("auth.revokeSession", () => {
  test("revokes another session: its access token is rejected from the next call", async () => {
    const lost = await signUp(app());
    const here = await signIn(app(), lost.user.email);
    const { body: sessions } = await get("/auth/sessions", here.accessToken);
    const other = sessions.find((session: { isCurrent: boolean }) => !session.isCurrent);
    const { status, body } = await end(other.publicId, here.accessToken);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true });
    const after = await get("/users/me", lost.accessToken);
    expect(after.status).toBe(401);
    expect(after.body).toEqual(ended);
    const refreshed = await app().call({
      method: "POST",
      path: "/auth/refresh",
      body: { refreshToken: lost.refreshToken },
    });
    expect(refreshed.status).toBe(401);
    expect(await statusOf(app(), here.accessToken)).toBe(200);
  });

  test("can revoke the current session", async () => {
    const { accessToken } = await signUp(app());
    const { body } = await get("/auth/sessions", accessToken);
    expect((await end(body[0].publicId, accessToken)).status).toBe(200);
    expect(await statusOf(app(), accessToken)).toBe(401);
  });

  test("is 404 for an unknown or ended session and for sessions of others", async () => {
    const victim = await signUp(app());
    const { body: theirs } = await get("/auth/sessions", victim.accessToken);
    const { accessToken, user } = await signUp(app());
    const spare = await signIn(app(), user.email);
    const { body: mine } = await get("/auth/sessions", spare.accessToken);
    const current = mine.find((session: { isCurrent: boolean }) => session.isCurrent);
    await end(current.publicId, accessToken);
    for (const publicId of ["zzzzzzzzzzzz", current.publicId, theirs[0].publicId]) {
      const { status, body } = await end(publicId, accessToken);
      expect(status).toBe(404);
      expect(body).toEqual({
        code: "NOT_FOUND",
        message: "Not found",
        issues: [{ message: "Session not found.", code: "session_not_found" }],
      });
    }
    expect(await statusOf(app(), victim.accessToken)).toBe(200);
  });

  test("rejects an id that is too short", async () => {
    const { accessToken } = await signUp(app());
    expect((await end("short", accessToken)).status).toBe(400);
  });
});
