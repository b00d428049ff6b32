import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { useApp } from "../support/app.ts";
import { makeCard, makeUser } from "../support/make.ts";
import { expectFailure } from "./failure.ts";
import { badCallOf, callOf, operations } from "./operations.ts";
import { makeWorld, unknownId, type World } from "./world.ts";

const app = useApp();
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

let count = 0;
const keyed = (key = `key-${++count}`) => ({ headers: { "Idempotency-Key": key } });
const replayed = (reply: { headers: Headers }) => reply.headers.get("idempotency-replayed");
const namesOf = async () => {
  const { body } = await world.admin.rest.get(`/boards/${world.board}`);
  return body.lists.map((list: { name: string }) => list.name);
};
const list = (name: string) => ({ name, boardPublicId: world.board });

describe("Idempotency-Key", () => {
  test("returns the same response for a repeated call, and writes once", async () => {
    const options = keyed();
    const first = await world.admin.rest.post("/lists", list("Once"), options);
    const second = await world.admin.rest.post("/lists", list("Once"), options);
    const reordered = { boardPublicId: world.board, name: "  Once " };
    const third = await world.admin.rest.post("/lists", reordered, options);
    expect([first.status, replayed(first)]).toEqual([200, null]);
    for (const again of [second, third]) {
      expect([again.status, replayed(again)]).toEqual([200, "true"]);
      expect(again.body).toEqual(first.body);
      expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
    }
    expect((await namesOf()).filter((name: string) => name === "Once")).toHaveLength(1);
  });

  test("returns the response that an earlier release has stored", async () => {
    const options = keyed();
    const first = await world.admin.rest.post("/lists", list("Stored"), options);
    const text = JSON.stringify({ output: { ...first.body, name: "Of an earlier release" } });
    const stored = app().deps.seal.sealBytes("idempotency", Buffer.from(text));
    await app().db.write(sql`UPDATE idempotency_keys SET response = ${stored}
      WHERE id = (SELECT max(id) FROM idempotency_keys)`);
    const second = await world.admin.rest.post("/lists", list("Stored"), options);
    expect([second.status, replayed(second)]).toEqual([200, "true"]);
    expect(second.body.name).toBe("Of an earlier release");
  });

  test("makes toggles and deletions safe to repeat", async () => {
    const card = await makeCard(world.admin, world.list);
    const toggle = keyed();
    const remove = keyed();
    for (const _ of [1, 2]) {
      const on = await world.admin.rest.put(
        `/cards/${card}/labels/${world.label}`,
        undefined,
        toggle,
      );
      expect(on.body).toEqual({ newLabel: true });
    }
    for (const _ of [1, 2]) {
      const gone = await world.admin.rest.delete(
        `/checklists/items/${world.item}`,
        undefined,
        remove,
      );
      expect([gone.status, gone.body]).toEqual([200, { success: true }]);
    }
  });

  test("works over tRPC, and across REST and tRPC", async () => {
    const { headers } = keyed();
    const native = () =>
      app().call({
        method: "POST",
        path: "/trpc/list.create",
        body: list("Native"),
        token: world.admin.token,
        headers,
      });
    const first = await native();
    const second = await native();
    expect(second.body).toEqual(first.body);
    expect(replayed(second)).toBe("true");
    const rest = await world.admin.rest.post("/lists", list("Native"), { headers });
    expect([rest.body, replayed(rest)]).toEqual([first.body.result.data, "true"]);
  });

  test("is 422 for another payload, path or operation, and writes nothing", async () => {
    const options = keyed();
    await world.admin.rest.post("/lists", list("Mine"), options);
    const before = await namesOf();
    for (const reply of [
      await world.admin.rest.post("/lists", list("Not mine"), options),
      await world.admin.rest.post("/lists", { ...list("Mine"), index: 0 }, options),
      await world.admin.rest.post("/workspaces", { name: "Mine" }, options),
      await world.admin.rest.put(`/cards/${world.card}`, { title: "Mine" }, options),
      await world.admin.rest.post("/lists", { name: "Mine", boardPublicId: unknownId }, options),
    ]) {
      expectFailure(reply, "UNPROCESSABLE_CONTENT", [{}]);
    }
    expect(await namesOf()).toEqual(before);
  });

  test("belongs to its caller", async () => {
    const options = keyed();
    await world.admin.rest.post("/lists", list("The admin's"), options);
    const reply = await world.member.rest.post("/lists", list("The member's"), options);
    expect([reply.status, reply.body.name, replayed(reply)]).toEqual([200, "The member's", null]);
    const again = await world.stranger.rest.post("/lists", list("The admin's"), options);
    expectFailure(again, "FORBIDDEN", [{}]);
  });

  test("stores errors of the operation, but not of authentication or validation", async () => {
    const missing = { name: "a", boardPublicId: unknownId };
    const options = keyed();
    expectFailure(await world.admin.rest.post("/lists", missing, options), "NOT_FOUND", [{}]);
    const second = await world.admin.rest.post("/lists", missing, options);
    expectFailure(second, "NOT_FOUND", [{}]);
    expect(replayed(second)).toBe("true");
  });

  test("expires after 24 hours", async () => {
    const options = keyed();
    const user = await makeUser(app());
    const first = await user.rest.post("/workspaces", { name: "Today" }, options);
    app().advance(24 * 60 * 60 * 1000 + 1);
    const { body: tokens } = await app().call({
      method: "POST",
      path: "/auth/refresh",
      body: { refreshToken: user.refreshToken },
    });
    const again = await app().call({
      method: "POST",
      path: "/workspaces",
      body: { name: "Today" },
      token: tokens.accessToken,
      ...options,
    });
    expect([again.status, replayed(again)]).toEqual([200, null]);
    expect(again.body.publicId).not.toBe(first.body.publicId);
    world = await makeWorld(app());
  });

  test.each(["", " ", "x".repeat(256), "é", "a\tb"])("rejects %j as a key", async (key) => {
    const before = await namesOf();
    const reply = await world.admin.rest.post("/lists", list("Bad key"), keyed(key));
    expectFailure(reply, "BAD_REQUEST", [{}]);
    expect(await namesOf()).toEqual(before);
  });

  test.each(["x", "x".repeat(255), "with a space", '!"#$%&/()=?~'])(
    "accepts %j as a key",
    async (key) => {
      const { rest } = await makeUser(app());
      const reply = await rest.post("/workspaces", { name: "Good key" }, keyed(key));
      expect(reply.status).toBe(200);
    },
  );

  test("replays nothing for a revoked credential", async () => {
    const user = await makeUser(app());
    const options = keyed();
    await user.rest.post("/workspaces", { name: "Before" }, options);
    await user.rest.post("/auth/logout");
    const reply = await user.rest.post("/workspaces", { name: "Before" }, options);
    expectFailure(reply, "UNAUTHORIZED", [{}]);
    expect(replayed(reply)).toBeNull();
    const other = await user.rest.post("/workspaces", { name: "Other" }, options);
    expectFailure(other, "UNAUTHORIZED", [{}]);
  });

  test.each(operations.filter(({ method }) => method !== "GET"))(
    "comes after 401 and 400: $name",
    async (operation) => {
      const options = keyed();
      const noCredential = await app().call({ ...callOf(operation, world), ...options });
      expectFailure(noCredential, "UNAUTHORIZED", []);
      const { token } = world.stranger;
      const bad = await app().call({ ...badCallOf(operation, world), token, ...options });
      expectFailure(bad, "BAD_REQUEST");
      const badKey = await app().call({ ...callOf(operation, world), ...keyed("é") });
      expectFailure(badKey, "UNAUTHORIZED", []);
    },
  );
});
