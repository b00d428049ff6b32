import { beforeAll, describe, expect, test } from "vitest";
import type { systemRoles } from "../../../src/contract/vocabulary/permissions.ts";
import type { Query } from "../../../src/platform/db/query.ts";
import { sql, type Sql } from "../../../src/platform/db/sql.ts";
import { useApp, type Reply } from "../../support/app.ts";
import { password, request, signUp, withDeps, type Account } from "./account.ts";
import { copyNewestKey, insertMember, removeMember } from "../../support/state.ts";
import { setDeleted } from "../../support/rows.ts";
import { waitFor } from "../../support/wait.ts";

const app = useApp();
let ada: Account;
let home: string;
let away: string;

const call = (method: string, path: string, token: string, body?: unknown) =>
  app().call({ method, path, token, ...(body === undefined ? {} : { body }) });
const create = (body: object, token = ada.accessToken) =>
  call("POST", "/auth/api-keys", token, { password, ...body });

async function keyWith(bounds: Record<string, unknown> = {}, owner = ada): Promise<string> {
  const { status, body } = await create({ name: "robot", ...bounds }, owner.accessToken);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.key;
}

async function workspaceOf(owner: Account): Promise<string> {
  const { body } = await call("POST", "/workspaces", owner.accessToken, { name: "Home" });
  return body.publicId;
}

/** Adds a board with one list; answers their ids. */
async function boardIn(workspace: string, visibility = "private", { accessToken } = ada) {
  const body = { name: "Board", lists: ["To do"], visibility };
  const reply = await call("POST", `/workspaces/${workspace}/boards`, accessToken, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return { board: String(reply.body.publicId), list: String(reply.body.lists[0].publicId) };
}

const join = (workspace: string, { user }: Account, role: keyof typeof systemRoles) =>
  insertMember(app(), workspace, {
    user: user.publicId,
    email: user.email,
    role,
    status: "active",
  });

function expectForbidden({ status, body }: Reply, message: string) {
  expect(status).toBe(403);
  expect(body).toMatchObject({
    code: "FORBIDDEN",
    message: "Insufficient access",
    issues: [{ message }],
  });
}

beforeAll(async () => {
  ada = await signUp(app());
  home = await workspaceOf(ada);
  away = await workspaceOf(ada);
});

describe("auth.createApiKey", () => {
  test("returns the key once, with its scope", async () => {
    const { status, body } = await create({ name: "  deploy " });
    expect(status).toBe(200);
    expect(body).toEqual({
      publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
      name: "deploy",
      app: null,
      prefix: body.key.slice(0, 12),
      permissions: null,
      workspacePublicId: null,
      boardPublicId: null,
      readOnly: false,
      createdAt: app().deps.clock().toISOString(),
      lastUsedAt: null,
      expiresAt: null,
      key: expect.stringMatching(/^wbs_[\w-]{43}$/),
    });
  });

  test("stores only the SHA-256 of the key, and never returns it again", async () => {
    const { body } = await create({ name: "secret" });
    const rows = await app().db.read<{ row: string }>(
      sql`SELECT row_to_json(k)::text AS row FROM api_keys k`,
    );
    const listed = await call("GET", "/auth/api-keys", ada.accessToken);
    const [newest] = listed.body;
    const { key, ...shown } = body;
    expect(newest).toEqual(shown);
    expect(JSON.stringify([rows, listed.body])).not.toContain(key.slice(12));
  });

  test("with an Idempotency-Key returns the same key for a retry, sealed in the database", async () => {
    const retried = {
      method: "POST",
      path: "/auth/api-keys",
      token: ada.accessToken,
      body: { name: "once", password },
      headers: { "Idempotency-Key": "key-1" },
    };
    const [first, second] = [await app().call(retried), await app().call(retried)];
    expect(second.body).toEqual(first.body);
    const rows = await app().db.read(
      sql`SELECT encode(response, 'escape') AS response FROM idempotency_keys`,
    );
    expect(JSON.stringify(rows)).not.toContain(first.body.key.slice(4));
  });

  test("stores the whole scope", async () => {
    const { board } = await boardIn(home);
    const expiresAt = new Date(app().deps.clock().getTime() + 60_000).toISOString();
    const { status, body } = await create({
      name: "bounded",
      permissions: ["list:view", "board:view", "list:view"],
      workspacePublicId: home,
      boardPublicId: board,
      readOnly: true,
      expiresAt,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      permissions: ["board:view", "list:view"],
      workspacePublicId: home,
      boardPublicId: board,
      readOnly: true,
      expiresAt,
    });
  });

  test("derives the workspace from a board", async () => {
    const { board } = await boardIn(home);
    const { body } = await create({ name: "board", boardPublicId: board });
    expect(body).toMatchObject({ workspacePublicId: home, boardPublicId: board });
  });

  test.each([
    ["no name", { name: undefined }, "name"],
    ["an empty name", { name: "  " }, "name"],
    ["a name of 65 characters", { name: "x".repeat(65) }, "name"],
    ["an unknown permission", { permissions: ["card:view", "card:fly"] }, "permissions"],
    ["permissions that are no list", { permissions: "card:view" }, "permissions"],
    ["a workspace id that is too short", { workspacePublicId: "short" }, "workspacePublicId"],
    ["a board id that is too short", { boardPublicId: "short" }, "boardPublicId"],
    ["readOnly that is no boolean", { readOnly: "true" }, "readOnly"],
    ["an expiry that is no date", { expiresAt: "tomorrow" }, "expiresAt"],
    ["an expiry in the past", { expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
    ["an owner", { userPublicId: "zzzzzzzzzzzz" }, "userPublicId"],
  ])("rejects %s", async (_, wrong, field) => {
    const { status, body } = await create({ name: "robot", ...wrong });
    expect(status).toBe(400);
    expect(body.issues[0].path[0]).toBe(field);
  });

  test("rejects an expiry of now, and accepts one a millisecond later", async () => {
    const now = app().deps.clock().getTime();
    const expiring = (at: number) =>
      create({ name: "soon", expiresAt: new Date(at).toISOString() });
    expect((await expiring(now)).status).toBe(400);
    expect((await expiring(now + 1)).status).toBe(200);
  });

  test("is 404 for an unknown or deleted workspace or board", async () => {
    const { board } = await boardIn(home);
    await call("DELETE", `/boards/${board}`, ada.accessToken);
    const gone = await workspaceOf(ada);
    await call("DELETE", `/workspaces/${gone}`, ada.accessToken);
    for (const bound of [
      { workspacePublicId: "zzzzzzzzzzzz" },
      { workspacePublicId: gone },
      { boardPublicId: "zzzzzzzzzzzz" },
      { boardPublicId: board },
    ]) {
      const { status, body } = await create({ name: "robot", ...bound });
      expect(status).toBe(404);
      expect(body.code).toBe("NOT_FOUND");
    }
  });

  test("is 404 for a board outside the given workspace, even the caller's own", async () => {
    const mine = await boardIn(away);
    const stranger = await signUp(app());
    const theirs = await boardIn(await workspaceOf(stranger), "private", stranger);
    for (const { board } of [mine, theirs]) {
      const { status, body } = await create({
        name: "r",
        workspacePublicId: home,
        boardPublicId: board,
      });
      expect(status).toBe(404);
      expect(body.issues).toEqual([{ message: "Board not found.", code: "board_not_found" }]);
    }
  });

  test("rejects a workspace or board of strangers", async () => {
    const stranger = await signUp(app());
    const { board } = await boardIn(home);
    for (const bound of [{ workspacePublicId: home }, { boardPublicId: board }]) {
      const reply = await create({ name: "robot", ...bound }, stranger.accessToken);
      expectForbidden(reply, "You are not a member of this workspace.");
    }
  });

  test("rejects a restricted board for members who are not on it", async () => {
    const guest = await signUp(app());
    await join(home, guest, "guest");
    const { board } = await boardIn(home, "restricted");
    const reply = await create({ name: "robot", boardPublicId: board }, guest.accessToken);
    expectForbidden(reply, "This board is open only to members who were added to it.");
    expect((await create({ name: "r", workspacePublicId: home }, guest.accessToken)).status).toBe(
      200,
    );
  });

  test("rejects the 201st key of an account until one is revoked", async () => {
    const hoarder = await signUp(app());
    await keyWith({}, hoarder);
    await copyNewestKey(app(), 199);
    const full = await create({ name: "r" }, hoarder.accessToken);
    expect(full.status).toBe(409);
    expect(full.body.issues).toEqual([
      {
        message: "An account has at most 200 API keys and connected apps. Revoke one first.",
        code: "limit_exceeded",
      },
    ]);
    const { body } = await call("GET", "/auth/api-keys", hoarder.accessToken);
    await call("DELETE", `/auth/api-keys/${body[0].publicId}`, hoarder.accessToken);
    const atOnce = await Promise.all(
      [1, 2, 3, 4, 5].map(() => create({ name: "r" }, hoarder.accessToken)),
    );
    expect(atOnce.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
  });

  test("is auth.createApiKey over tRPC", async () => {
    const made = await app().call({
      method: "POST",
      path: "/trpc/auth.createApiKey",
      token: ada.accessToken,
      body: { name: "trpc", password },
    });
    const { key } = made.body.result.data;
    const me = await app().call({ method: "GET", path: "/trpc/user.me?input={}", token: key });
    expect(me.body.result.data.publicId).toBe(ada.user.publicId);
  });
});

describe("an API key", () => {
  test("without a scope acts as its owner", async () => {
    const key = await keyWith();
    expect((await call("GET", "/users/me", key)).body.publicId).toBe(ada.user.publicId);
    expect((await call("PUT", `/workspaces/${home}`, key, { name: "Renamed" })).status).toBe(200);
    expect((await call("POST", "/workspaces", key, { name: "Made by a key" })).status).toBe(200);
  });

  test("that is read-only can read and not write", async () => {
    const key = await keyWith({ readOnly: true });
    const { list, board } = await boardIn(home);
    expect((await call("GET", `/workspaces/${home}`, key)).status).toBe(200);
    expect((await call("GET", `/lists/${list}`, key)).status).toBe(200);
    for (const write of [
      call("PUT", `/workspaces/${home}`, key, { name: "No" }),
      call("DELETE", `/workspaces/${home}`, key),
      call("POST", "/workspaces", key, { name: "No" }),
      call("POST", "/lists", key, { name: "No", boardPublicId: board }),
    ]) {
      expectForbidden(await write, "This API key may only read.");
    }
  });

  test("bound to a workspace is rejected elsewhere", async () => {
    const key = await keyWith({ workspacePublicId: home });
    expect((await call("GET", `/workspaces/${home}`, key)).status).toBe(200);
    const { list } = await boardIn(away);
    for (const path of [`/workspaces/${away}`, `/lists/${list}`]) {
      expectForbidden(await call("GET", path, key), "This API key is bound to another workspace.");
    }
    const reply = await call("POST", "/workspaces", key, { name: "No" });
    expectForbidden(reply, "This API key is bound to permissions, a workspace or a board.");
  });

  test("bound to a board is rejected on other boards and for the members of the workspace", async () => {
    const [one, other] = [await boardIn(home), await boardIn(home)];
    const key = await keyWith({ boardPublicId: one.board });
    expect((await call("GET", `/lists/${one.list}`, key)).status).toBe(200);
    for (const path of [`/lists/${other.list}`, `/workspaces/${home}/members`]) {
      expectForbidden(await call("GET", path, key), "This API key is bound to one board.");
    }
  });

  test("with permissions has only these", async () => {
    const { board, list } = await boardIn(home);
    const key = await keyWith({ permissions: ["list:view"] });
    expect((await call("GET", `/lists/${list}`, key)).status).toBe(200);
    const body = { name: "No", boardPublicId: board };
    expectForbidden(
      await call("POST", "/lists", key, body),
      "This operation requires the permission list:create.",
    );
    expectForbidden(
      await call("GET", `/workspaces/${home}`, key),
      "This operation requires the permission workspace:view.",
    );
    const noPermissions = await keyWith({ permissions: [] });
    expect((await call("GET", `/lists/${list}`, noPermissions)).status).toBe(403);
  });

  test("never allows more than its owner may do at the time of the call", async () => {
    const guest = await signUp(app());
    await join(home, guest, "guest");
    const { board, list } = await boardIn(home);
    const key = await keyWith({ permissions: ["list:create", "list:view"] }, guest);
    expect((await call("GET", `/lists/${list}`, key)).status).toBe(200);
    const body = { name: "No", boardPublicId: board };
    expectForbidden(
      await call("POST", "/lists", key, body),
      "This operation requires the permission list:create.",
    );
    await removeMember(app(), guest.user.email);
    expectForbidden(
      await call("GET", `/lists/${list}`, key),
      "You are not a member of this workspace.",
    );
  });

  test("cannot manage keys or sessions, even without a scope", async () => {
    const key = await keyWith();
    const { body: keys } = await call("GET", "/auth/api-keys", ada.accessToken);
    for (const attempt of [
      call("GET", "/auth/api-keys", key),
      call("POST", "/auth/api-keys", key, { name: "child" }),
      call("DELETE", `/auth/api-keys/${keys[0].publicId}`, key),
      call("GET", "/auth/sessions", key),
      call("DELETE", "/auth/sessions/zzzzzzzzzzzz", key),
      call("POST", "/auth/logout", key),
    ]) {
      expectForbidden(await attempt, "API keys cannot use this operation. Sign in as a user.");
    }
  });

  test("that has expired is rejected", async () => {
    const expiresAt = new Date(app().deps.clock().getTime() + 60_000).toISOString();
    const key = await keyWith({ expiresAt, name: "short-lived" });
    app().advance(59_999);
    expect((await call("GET", "/users/me", key)).status).toBe(200);
    app().advance(1);
    for (const path of ["/users/me", `/workspaces/${home}`]) {
      const { status, body } = await call("GET", path, key);
      expect(status).toBe(401);
      expect(body.issues).toEqual([
        { message: "The credential has expired or was revoked.", code: "credential_expired" },
      ]);
    }
    const { body } = await call("GET", "/auth/api-keys", ada.accessToken);
    expect(body.map(({ name }: { name: string }) => name)).not.toContain("short-lived");
  });

  test("that is unknown, altered or in another case is rejected", async () => {
    const key = await keyWith();
    const altered = key.slice(0, -1) + (key.endsWith("A") ? "B" : "A");
    for (const wrong of ["wbs_", "wbs_unknown", altered, `WBS_${key.slice(4)}`, `${key}x`]) {
      expect((await call("GET", "/users/me", wrong)).status).toBe(401);
    }
  });

  test("of a deleted account is rejected", async () => {
    const owner = await signUp(app());
    const key = await keyWith({}, owner);
    await setDeleted(app(), "users", owner.user.publicId, new Date());
    expect((await call("GET", "/users/me", key)).status).toBe(401);
  });

  test("stays valid after its session ends", async () => {
    const owner = await signUp(app());
    const key = await keyWith({}, owner);
    await call("POST", "/auth/logout", owner.accessToken);
    expect((await call("GET", "/users/me", key)).status).toBe(200);
  });
});

describe("auth.revokeApiKey", () => {
  test("revokes a key at once and removes it from the list", async () => {
    const { body: made } = await create({ name: "short" });
    expect((await call("GET", "/users/me", made.key)).status).toBe(200);
    const { status, body } = await call(
      "DELETE",
      `/auth/api-keys/${made.publicId}`,
      ada.accessToken,
    );
    expect(status).toBe(200);
    expect(body).toEqual({ success: true });
    const after = await call("GET", "/users/me", made.key);
    expect(after.status).toBe(401);
    expect(after.body.issues).toEqual([
      { message: "The credential has expired or was revoked.", code: "credential_expired" },
    ]);
    const { body: keys } = await call("GET", "/auth/api-keys", ada.accessToken);
    expect(keys.map((key: { publicId: string }) => key.publicId)).not.toContain(made.publicId);
    expect((await call("DELETE", `/auth/api-keys/${made.publicId}`, ada.accessToken)).status).toBe(
      404,
    );
  });

  test("is 404 for an unknown key and for keys of others", async () => {
    const { body: made } = await create({ name: "mine" });
    const stranger = await signUp(app());
    for (const id of ["zzzzzzzzzzzz", made.publicId]) {
      const { status, body } = await call("DELETE", `/auth/api-keys/${id}`, stranger.accessToken);
      expect(status).toBe(404);
      expect(body.issues[0].code).toBe("apiKey_not_found");
    }
    expect((await call("GET", "/users/me", made.key)).status).toBe(200);
    expect((await call("GET", "/auth/api-keys", stranger.accessToken)).body).toEqual([]);
  });
});

describe("the last use of an API key", () => {
  const lastUsed = async (id: string) =>
    (await app().db.reader.apiKey.findUnique({ where: { publicId: id } }))?.lastUsedAt;
  const counting = (fail = false) => {
    let notes = 0;
    const write: Query = async <Row>(statement: Sql) => {
      if (!String(statement).startsWith("UPDATE api_keys")) {
        return app().db.write<Row>(statement);
      }
      notes++;
      if (fail) throw new Error("The database is busy.");
      return app().db.write<Row>(statement);
    };
    const send = withDeps(app(), { db: { ...app().db, write } });
    return { notes: () => notes, send };
  };

  test("is stored at most once per minute", async () => {
    const { body: made } = await create({ name: "used" });
    const { send, notes } = counting();
    const use = () => send(request("GET", `/workspaces/${home}`, made.key));
    const first = app().deps.clock();
    await use();
    await waitFor(async () => expect(await lastUsed(made.publicId)).toEqual(first));
    app().advance(59_999);
    await use();
    expect(notes()).toBe(1);
    app().advance(1);
    await use();
    await waitFor(async () => expect(await lastUsed(made.publicId)).toEqual(app().deps.clock()));
    expect(notes()).toBe(2);
    const { body: keys } = await call("GET", "/auth/api-keys", ada.accessToken);
    expect(keys[0].lastUsedAt).toBe(app().deps.clock().toISOString());
  });

  test("does not fail a call when it cannot be stored", async () => {
    const { body: made } = await create({ name: "unnoted" });
    const { send, notes } = counting(true);
    for (const path of ["/users/me", `/workspaces/${home}`]) {
      expect((await send(request("GET", path, made.key))).status).toBe(200);
    }
    expect(notes()).toBe(2);
  });
});
