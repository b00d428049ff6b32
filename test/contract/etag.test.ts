import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeCard, makeUser } from "../support/make.ts";
import { expectFailure } from "./failure.ts";
import { callOf, targeted } from "./operations.ts";
import { makeItem, makeWorld, type World } from "./world.ts";
import { sql } from "../../src/platform/db/sql.ts";

const app = useApp();
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

const tagOf = (reply: { headers: Headers }) => reply.headers.get("etag") ?? "";
const put = (card: string, title: string, tag?: string) =>
  world.admin.rest.put(
    `/cards/${card}`,
    { title },
    tag === undefined ? {} : { headers: { "If-Match": tag } },
  );
const read = (card: string, tag?: string) =>
  world.admin.rest.get(
    `/cards/${card}`,
    tag === undefined ? {} : { headers: { "If-None-Match": tag } },
  );

describe("If-Match", () => {
  test("accepts the ETag of a PUT, once", async () => {
    const card = await makeCard(world.admin, world.list);
    const first = tagOf(await put(card, "One"));
    expect(first).toMatch(/^"[^"]+"$/);
    const second = await put(card, "Two", first);
    expect(second.status).toBe(200);
    expect(tagOf(second)).not.toBe(first);
    expectFailure(await put(card, "Three", first), "PRECONDITION_FAILED", [{}]);
    expect((await put(card, "Three", tagOf(second))).status).toBe(200);
  });

  test("accepts the ETag of a GET", async () => {
    const card = await makeCard(world.admin, world.list);
    const tag = tagOf(await read(card));
    expect((await put(card, "One", tag)).status).toBe(200);
    expectFailure(await put(card, "Two", tag), "PRECONDITION_FAILED", [{}]);
    expect((await read(card)).body.title).toBe("One");
  });

  test("accepts one of several, and *", async () => {
    const card = await makeCard(world.admin, world.list);
    for (const write of [(tag: string) => `"x", ${tag}`, () => "*"]) {
      const tag = write(tagOf(await read(card)));
      expect((await put(card, `With ${tag}`, tag)).status).toBe(200);
    }
  });

  test("refuses weak tags, and says which tag to send", async () => {
    const card = await makeCard(world.admin, world.list, "Before");
    const tag = tagOf(await read(card));
    for (const weak of [`W/${tag}`, `W/"0", W/${tag}`]) {
      const refused = await put(card, "After", weak);
      expectFailure(refused, "PRECONDITION_FAILED", [{}]);
      expect(refused.body.issues[0].message).toContain("weak");
    }
    expect((await read(card)).body.title).toBe("Before");
    expect((await put(card, "After", `W/${tag}, ${tag}`)).status).toBe(200);
  });

  test("accepts one of two concurrent writes", async () => {
    const card = await makeCard(world.admin, world.list);
    const tag = tagOf(await read(card));
    const replies = await Promise.all(["a", "b", "c", "d"].map((title) => put(card, title, tag)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412]);
  });

  test.each(['"999"', '"0"', '""', "999", "nonsense", '"1', 'W/"999"', '"1"x', ",", "1"])(
    "rejects %s, and nothing changes",
    async (tag) => {
      const card = await makeCard(world.admin, world.list, "Before");
      await put(card, "Now");
      const before = await read(card);
      expectFailure(await put(card, "After", tag), "PRECONDITION_FAILED", [{}]);
      const after = await read(card);
      expect([after.body, tagOf(after)]).toEqual([before.body, tagOf(before)]);
    },
  );

  test("rejects a stale version also for a write without changes", async () => {
    const card = await makeCard(world.admin, world.list, "Same");
    expectFailure(await put(card, "Same", '"999"'), "PRECONDITION_FAILED", [{}]);
  });

  test.each(targeted.filter(({ name, method }) => method !== "GET" && name !== "webhook.test"))(
    "is looked at by $name, which changes nothing and announces nothing",
    async (operation) => {
      const state = () =>
        app().db.read(
          sql`SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM lists) AS lists,
           (SELECT sum(version) FROM cards) AS cards, (SELECT count(*) FROM card_labels) AS on_cards,
           (SELECT sum(version) FROM members) AS members, (SELECT sum(version) FROM roles) AS roles,
           (SELECT count(*) FROM workspaces WHERE "deletedAt" IS NULL) AS workspaces,
           (SELECT count(*) FROM webhooks WHERE "deletedAt" IS NULL) AS webhooks,
           (SELECT sum(version) FROM labels) AS labels, (SELECT sum(version) FROM checklist_items) AS items`,
        );
      const before = await state();
      const reply = await app().call({
        ...callOf(operation, world),
        token: world.admin.token,
        headers: { "If-Match": '"999"' },
      });
      expectFailure(reply, "PRECONDITION_FAILED", [{}]);
      expect(await state()).toEqual(before);
    },
  );
});

describe("ETag", () => {
  test("is on every write with a versioned resource", async () => {
    const item = await makeItem(world.admin, world.card);
    const { rest } = world.admin;
    const { publicId, roles } = world.workspace;
    const replies = [
      await rest.post("/workspaces", { name: "New" }),
      await rest.post("/lists", { name: "New", boardPublicId: world.board }),
      await rest.put(`/cards/${world.card}`, { title: "New" }),
      await rest.put(`/cards/${world.card}`, {}),
      await rest.put(`/cards/${world.card}/labels/${world.label}`),
      await rest.put(`/labels/${world.label}`, { name: "New", colourCode: "#000000" }),
      await rest.delete(`/checklists/items/${item}`),
      await rest.post(`/workspaces/${publicId}/roles/${roles.guest}/permissions/grant`, {
        permission: "card:edit",
      }),
      await rest.post(
        `/workspaces/${publicId}/members/${world.member.memberPublicId}/permissions/revoke`,
        { permission: "card:edit" },
      ),
      await rest.delete(`/workspaces/${publicId}/webhooks/${world.webhook}`),
    ];
    for (const reply of replies) {
      expect(reply.status).toBe(200);
      expect(tagOf(reply)).toMatch(/^"[^"]+"$/);
    }
  });

  test("changes with every write, and only then", async () => {
    const card = await makeCard(world.admin, world.list, "Before");
    const tag = tagOf(await read(card));
    await put(card, "Before");
    expect(tagOf(await read(card))).toBe(tag);
    await put(card, "After");
    expect(tagOf(await read(card))).not.toBe(tag);
  });
});

describe("If-None-Match", () => {
  test("is 304 without a body while nothing has changed", async () => {
    const card = await makeCard(world.admin, world.list);
    const tag = tagOf(await read(card));
    for (const given of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
      const reply = await read(card, given);
      expect({ status: reply.status, body: reply.body, tag: tagOf(reply) }).toEqual({
        status: 304,
        body: undefined,
        tag,
      });
      expect(reply.headers.get("x-request-id")).toMatch(/\S/);
    }
    await put(card, "New");
    expect(await read(card, tag)).toMatchObject({ status: 200, body: { title: "New" } });
  });

  test("notices changes of related data", async () => {
    const card = await makeCard(world.admin, world.list);
    const tag = tagOf(await read(card));
    await world.admin.rest.put(`/cards/${card}/labels/${world.label}`);
    expect((await read(card, tag)).status).toBe(200);
  });

  test("works for lists, and never hides an error", async () => {
    const { rest } = world.admin;
    const tag = tagOf(await rest.get("/workspaces"));
    const headers = { "If-None-Match": tag };
    expect((await rest.get("/workspaces", { headers })).status).toBe(304);
    await rest.post("/workspaces", { name: "One more" });
    expect((await rest.get("/workspaces", { headers })).status).toBe(200);
    const star = { headers: { "If-None-Match": "*" } };
    expectFailure(await world.stranger.rest.get(`/cards/${world.card}`, star), "FORBIDDEN", [{}]);
  });
});

describe("If-Match on the caller's account", () => {
  test("is accepted while current, else 412", async () => {
    const user = await makeUser(app());
    const before = await user.rest.get("/users/me");
    const headers = { "If-Match": tagOf(before) };
    const changed = await user.rest.put("/users/me", { name: "First" }, { headers });
    expect([changed.status, changed.body.name]).toEqual([200, "First"]);
    const late = await user.rest.put("/users/me", { name: "Second" }, { headers });
    expectFailure(late, "PRECONDITION_FAILED", [{ code: "stale" }]);
    const now = { headers: { "If-Match": tagOf(changed) } };
    const raced = await Promise.all(
      ["a", "b", "c"].map((name) => user.rest.put("/users/me", { name }, now)),
    );
    expect(raced.map(({ status }: { status: number }) => status).toSorted()).toEqual([
      200, 412, 412,
    ]);
  });
});
