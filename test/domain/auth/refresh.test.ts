import { describe, expect, test } from "vitest";
import { fingerprint } from "../../../src/kernel/access/credentials.ts";
import { createDeps } from "../../../src/app/deps.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { request, signIn, signUp, statusOf, withDeps } from "./account.ts";
import { setDeleted } from "../../support/rows.ts";
import { waitFor } from "../../support/wait.ts";

const app = useApp();
const refresh = (refreshToken: unknown, headers: Record<string, string> = {}) =>
  app().call({ method: "POST", path: "/auth/refresh", body: { refreshToken }, headers });
const noGood = {
  code: "UNAUTHORIZED",
  message: "Authorization not provided",
  issues: [
    { message: "The refresh token is invalid or has expired.", code: "refresh_token_invalid" },
  ],
};
const reused = {
  ...noGood,
  issues: [
    {
      message: "The refresh token was already used. Its session has been revoked.",
      code: "refresh_token_reused",
    },
  ],
};
/** The number of calls that wait for a lock. */
async function waiting() {
  const [row] = await app().db.read<{ count: bigint }>(
    sql`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count;
}
const day = 24 * 60 * 60 * 1000;

describe("auth.refresh", () => {
  test("exchanges a token for new tokens, without a credential", async () => {
    const { refreshToken, accessToken } = await signUp(app());
    app().advance(60_000);
    const { status, body } = await refresh(refreshToken);
    expect(status).toBe(200);
    expect(body).toEqual({
      accessToken: expect.not.stringMatching(accessToken),
      refreshToken: expect.stringMatching(/^rt_[\w-]{43}$/),
      tokenType: "Bearer",
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(body.refreshToken).not.toBe(refreshToken);
    expect(await statusOf(app(), body.accessToken)).toBe(200);
  });

  test("continues the same session", async () => {
    const { refreshToken, accessToken } = await signUp(app());
    const { body } = await refresh(refreshToken, { "User-Agent": "kanban/2" });
    const { body: sessions } = await app().call({
      method: "GET",
      path: "/auth/sessions",
      token: accessToken,
    });
    expect(sessions).toHaveLength(1);
    expect(sessions[0]).toMatchObject({ isCurrent: true, userAgent: "kanban/2" });
    expect(await statusOf(app(), body.accessToken)).toBe(200);
  });

  test("ignores an expired access token", async () => {
    const { refreshToken, accessToken } = await signUp(app());
    app().advance(16 * 60_000);
    expect(await statusOf(app(), accessToken)).toBe(401);
    const call = {
      method: "POST",
      path: "/auth/refresh",
      body: { refreshToken },
      token: accessToken,
    };
    expect((await app().call(call)).status).toBe(200);
  });

  test("returns the same tokens to a retry within 10 s", async () => {
    const { refreshToken } = await signUp(app());
    const first = await refresh(refreshToken);
    app().advance(10_000);
    const retry = await refresh(refreshToken);
    expect(retry.status).toBe(200);
    expect(retry.body.refreshToken).toBe(first.body.refreshToken);
    expect(await statusOf(app(), retry.body.accessToken)).toBe(200);
    expect((await refresh(retry.body.refreshToken)).status).toBe(200);
  });

  test("revokes the session with all its tokens when a token is reused after 10 s", async () => {
    const { refreshToken, accessToken } = await signUp(app());
    const { body } = await refresh(refreshToken);
    app().advance(10_001);
    const again = await refresh(refreshToken);
    expect(again.status).toBe(401);
    expect(again.body).toEqual(reused);
    expect(await statusOf(app(), accessToken)).toBe(401);
    expect(await statusOf(app(), body.accessToken)).toBe(401);
    expect((await refresh(body.refreshToken)).body).toEqual(noGood);
    expect((await refresh(refreshToken)).body).toEqual(noGood);
  });

  test("revokes the session for an older token, even within 10 s of a later one", async () => {
    const { refreshToken } = await signUp(app());
    const second = await refresh(refreshToken);
    app().advance(60_000);
    const third = await refresh(second.body.refreshToken);
    expect((await refresh(refreshToken)).status).toBe(401);
    expect(await statusOf(app(), third.body.accessToken)).toBe(401);
  });

  test("does not revoke the user's other sessions", async () => {
    const one = await signUp(app());
    const other = await signIn(app(), one.user.email);
    await refresh(one.refreshToken);
    app().advance(11_000);
    expect((await refresh(one.refreshToken)).status).toBe(401);
    expect(await statusOf(app(), other.accessToken)).toBe(200);
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  test("returns the same tokens to concurrent calls", async () => {
    const { refreshToken } = await signUp(app());
    const calls: ReturnType<typeof refresh>[] = [];
    // Both calls wait for this lock and continue at the same time.
    await app().db.transact(async (_, query) => {
      const hash = fingerprint(refreshToken);
      await query(sql`SELECT 1 FROM refresh_tokens WHERE "tokenHash" = ${hash} FOR UPDATE`);
      calls.push(refresh(refreshToken), refresh(refreshToken));
      await waitFor(async () => expect(await waiting()).toBe(2n));
    });
    const replies = await Promise.all(calls);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const successors = new Set<string>(replies.map(({ body }) => body.refreshToken));
    expect(successors.size).toBe(1);
    for (const { body } of replies) expect(await statusOf(app(), body.accessToken)).toBe(200);
    for (const successor of successors) expect((await refresh(successor)).status).toBe(200);
  });

  test("revokes the session once when concurrent calls include a reused token", async () => {
    const { refreshToken } = await signUp(app());
    const { body } = await refresh(refreshToken);
    app().advance(11_000);
    const [late, own] = await Promise.all([refresh(refreshToken), refresh(body.refreshToken)]);
    expect(late.status).toBe(401);
    if (own.status === 200) expect(await statusOf(app(), own.body.accessToken)).toBe(401);
    else expect(own.status).toBe(401);
  });

  test("expires a session 30 days after its last refresh", async () => {
    const { refreshToken } = await signUp(app());
    app().advance(29 * day);
    const second = await refresh(refreshToken);
    expect(second.status).toBe(200);
    app().advance(29 * day);
    const third = await refresh(second.body.refreshToken);
    expect(third.status).toBe(200);
    app().advance(30 * day);
    expect((await refresh(third.body.refreshToken)).body).toEqual(noGood);
  });

  test("rejects the token of a revoked session", async () => {
    const { refreshToken, accessToken } = await signUp(app());
    await app().call({ method: "POST", path: "/auth/logout", token: accessToken });
    const { status, body } = await refresh(refreshToken);
    expect(status).toBe(401);
    expect(body).toEqual(noGood);
  });

  test("rejects the token of a deleted account", async () => {
    const { refreshToken, user } = await signUp(app());
    await setDeleted(app(), "users", user.publicId, new Date());
    expect((await refresh(refreshToken)).body).toEqual(noGood);
  });

  test("is 401 for an unknown token and 400 for a value that is not text", async () => {
    const { accessToken } = await signUp(app());
    for (const wrong of ["rt_", "nonsense", `rt_${"A".repeat(43)}`, accessToken.slice(0, 255)]) {
      expect((await refresh(wrong)).body).toEqual(noGood);
    }
    for (const wrong of [undefined, null, "", 5, ["rt_x"], "x".repeat(256)]) {
      const { status, body } = await refresh(wrong);
      expect(status).toBe(400);
      expect(body.issues[0].path).toEqual(["refreshToken"]);
    }
  });

  test("a refresh token is not a credential", async () => {
    const { refreshToken } = await signUp(app());
    const { status, body } = await app().call({
      method: "GET",
      path: "/users/me",
      token: refreshToken,
    });
    expect(status).toBe(401);
    expect(body.issues).toEqual([
      {
        message: "The credential is malformed or was not issued by this service.",
        code: "credential_invalid",
      },
    ]);
  });

  test("returns the same tokens to a retry after a change of APP_SECRET", async () => {
    const { refreshToken } = await signUp(app());
    const first = await refresh(refreshToken);
    const { config } = app().deps;
    const { tokens } = await createDeps({
      ...app().deps,
      config: {
        ...config,
        APP_SECRET: "the secret that came after, 32 characters",
        APP_SECRET_PREVIOUS: config.APP_SECRET,
      },
    });
    const send = withDeps(app(), { tokens });
    const retry = await send(request("POST", "/auth/refresh", undefined, { refreshToken }));
    expect(retry.status).toBe(200);
    expect(retry.body.refreshToken).toBe(first.body.refreshToken);
  });

  test("works over tRPC, with the same rotation", async () => {
    const { refreshToken } = await signUp(app());
    const call = { method: "POST", path: "/trpc/auth.refresh", body: { refreshToken } };
    const [first, retry] = [await app().call(call), await app().call(call)];
    expect(first.status).toBe(200);
    expect(retry.body.result.data.refreshToken).toBe(first.body.result.data.refreshToken);
    app().advance(11_000);
    const late = await app().call(call);
    expect(late.status).toBe(401);
    expect(late.body.error.data).toMatchObject(reused);
  });
});
