import { describe, expect, test } from "vitest";
import { mayBeBatched, ruleOf, type Operation } from "../../../src/contract/policy.ts";
import { publicId } from "../../../src/platform/db/public-id.ts";
import { runDue } from "../../support/jobs.ts";
import { apis, apisOf, operations, send, type Api } from "./call.ts";
import { deleteTarget } from "./delete-target.ts";
import { makeUser, putMember } from "./fixtures.ts";
import { inputs } from "./inputs.ts";
import { useWorld } from "./world.ts";

const world = useWorld();

/**
 * Creates whose ids clients cannot make: the first is a job, the second completes a create, the same
 * relation changes nothing, and the last takes what it makes the card of.
 */
const withoutClientId = new Set<Operation>([
  "workspace.import",
  "attachment.confirm",
  "relation.create",
  "checklist.convertItem",
]);

const creates = operations.filter((one) => "creates" in ruleOf(one));

/** The id that an answer gives to what was created. */
function idIn(text: string): unknown {
  const body = JSON.parse(text);
  const output = body.result?.data ?? body;
  return output.publicId ?? output.attachmentPublicId;
}

async function create(api: Api, operation: Operation, input: object, token?: string) {
  const { app, fixtures } = world();
  return send(app, api, operation, { ...input }, token ?? fixtures.admin.token);
}

const inputOf = async (operation: Operation) =>
  (await inputs[operation](world(), world().fixtures.admin)).input;

const taken = /The publicId is taken/;

test("every operation whose main event is a creation takes an id of the client", () => {
  const all = operations.filter((one) => ruleOf(one).emits?.[0]?.endsWith(".created"));
  const missing = all.filter((one) => !creates.includes(one) && !withoutClientId.has(one));
  expect(missing).toEqual([]);
  expect(creates.length).toBeGreaterThan(12);
});

describe.each(apis)("over %s", (api) => {
  const open = creates.filter((one) => apisOf(one).some((its) => its === api));
  describe.each(open)("%s", (operation) => {
    test("uses the id of the client, once for the same create", async () => {
      const { app } = world();
      const input = { ...(await inputOf(operation)), publicId: publicId() };
      const first = await create(api, operation, input);
      expect(first.status, first.text).toBe(200);
      const events = await app.db.reader.event.count();
      const again = await create(api, operation, input);
      expect(again.status, again.text).toBe(200);
      if (operation !== "attachment.prepare") expect(again.text).toBe(first.text);
      expect(idIn(again.text)).toBe(input.publicId);
      // A prepared upload has no version yet.
      if (operation !== "attachment.prepare") {
        expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
      }
      expect(await app.db.reader.event.count()).toBe(events);
    });

    test("answers 409 to another caller, and for an id that the server made", async () => {
      const { fixtures, app } = world();
      const input = { ...(await inputOf(operation)), publicId: publicId() };
      expect((await create(api, operation, input)).status).toBe(200);
      const other = await makeUser(app, "Other");
      await putMember(fixtures, other, "admin");
      const theirs = await create(api, operation, input, other.token);
      expect(theirs.status, theirs.text).toBe(409);
      expect(theirs.text).toMatch(taken);
      for (const kind of ["board.create", "card.create"] as const) {
        const id = idIn((await create(api, kind, await inputOf(kind))).text);
        const of = await create(api, operation, { ...(await inputOf(operation)), publicId: id });
        expect([of.status, of.text]).toEqual([409, expect.stringMatching(taken)]);
      }
    });
  });
});

const api = apis[0] ?? "REST";

/** What outlives the target of its create, and how it leaves that. */
const leaves: { [Name in Operation]?: (id: string) => Promise<unknown> } = {
  // The copy is beside the card.
  "card.duplicate": () => Promise.resolve(),
  "card.create": (id) => moveCard(id, world().fixtures.ids.board),
  "board.create": async (id) => {
    const { rest } = world().fixtures.admin;
    const { body } = await rest.post("/workspaces", { name: "Elsewhere" });
    await rest.post(`/boards/${id}/move`, { workspacePublicId: body.publicId });
  },
};

async function moveCard(id: string, boardPublicId: string | undefined) {
  const { rest } = world().fixtures.admin;
  const { body } = await rest.post("/lists", { name: "Other", boardPublicId });
  expect((await rest.put(`/cards/${id}`, { listPublicId: body.publicId })).status).toBe(200);
}

/** A create as an operation of a batch of one. */
const inBatch = (operation: Operation, input: object) => ({
  workspacePublicId: world().fixtures.ids.workspace,
  operations: [{ operation, input }],
});

test.each(creates.filter((name) => ruleOf(name).on !== "self"))(
  "%s finds what it has created after its target is gone",
  async (operation) => {
    const { app, fixtures } = world();
    const input = { ...(await inputOf(operation)), publicId: publicId() };
    const first = await create("REST", operation, input);
    expect(first.status, first.text).toBe(200);
    await leaves[operation]?.(input.publicId);
    const restore = await deleteTarget(world(), operation, input);
    try {
      const again = await create("REST", operation, input);
      if (leaves[operation] === undefined) return expect(again.status, again.text).toBe(404);
      expect(again.status, again.text).toBe(200);
      expect(idIn(again.text)).toBe(input.publicId);
      const other = await makeUser(app, "Other");
      await putMember(fixtures, other, "admin");
      expect((await create("REST", operation, input, other.token)).status).toBe(404);
      if (!mayBeBatched(ruleOf(operation)) || ruleOf(operation).on === "workspace") return;
      const batch = await create("REST", "workspace.batch", inBatch(operation, input));
      expect(batch.status, batch.text).toBe(200);
      expect(batch.text).toContain(input.publicId);
    } finally {
      await restore();
    }
  },
);

test("a create whose target was deleted answers only what its caller may see now", async () => {
  const { app, fixtures } = world();
  const caller = await makeUser(app, "Caller");
  await putMember(fixtures, caller, "member");
  const { rest } = fixtures.admin;
  const path = `/workspaces/${fixtures.ids.workspace}/boards`;
  const { body: board } = await rest.post(path, { name: "Hidden", visibility: "restricted" });
  const { body } = await rest.post("/lists", { name: "1", boardPublicId: fixtures.ids.board });
  const input = { title: "Mine", listPublicId: body.publicId, publicId: publicId() };
  expect((await create(api, "card.create", input, caller.token)).status).toBe(200);
  await moveCard(input.publicId, board.publicId);
  await rest.delete(`/lists/${body.publicId}`);
  const hidden = await create(api, "card.create", input, caller.token);
  expect([hidden.status, hidden.text]).toEqual([404, expect.stringContaining("list_not_found")]);
});

test("another kind, another target and a malformed id are refused", async () => {
  const id = publicId();
  const card = { ...(await inputOf("card.create")), publicId: id };
  expect((await create(api, "card.create", card)).status).toBe(200);
  const list = await create(api, "list.create", {
    ...(await inputOf("list.create")),
    publicId: id,
  });
  expect([list.status, list.text]).toEqual([409, expect.stringMatching(taken)]);
  const { text } = await create(api, "list.create", await inputOf("list.create"));
  const there = await create(api, "card.create", { ...card, listPublicId: idIn(text) });
  expect([there.status, there.text]).toEqual([409, expect.stringMatching(taken)]);
  for (const bad of ["short", "UPPERCASE123", "thirteen12345", "with-dash123"]) {
    expect((await create(api, "card.create", { ...card, publicId: bad })).status).toBe(400);
  }
});

test("the answer shows the resource as it is now; a deleted one is a conflict", async () => {
  const { app, fixtures } = world();
  const input = { ...(await inputOf("card.create")), publicId: publicId() };
  const headers = { method: "PUT", token: fixtures.admin.token };
  expect((await create(api, "card.create", input)).status).toBe(200);
  const path = `/cards/${input.publicId}`;
  await app.call({ ...headers, path, body: { title: "Changed" } });
  const again = await create(api, "card.create", input);
  expect(JSON.parse(again.text)).toMatchObject({ title: "Changed", version: 2 });
  expect(again.headers.get("etag")).toBe('"2"');
  const batch = await create(api, "workspace.batch", inBatch("card.create", input));
  expect(JSON.parse(batch.text).results).toMatchObject([{ version: 2 }]);
  await app.call({ ...headers, method: "DELETE", path });
  const deleted = await create(api, "card.create", input);
  expect([deleted.status, deleted.text]).toEqual([409, expect.stringMatching(/"deleted"/)]);
});

test("many same creates at once create one resource", async () => {
  const input = { ...(await inputOf("card.create")), publicId: publicId() };
  const all = await Promise.all(Array.from({ length: 8 }, () => create(api, "card.create", input)));
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
  expect(new Set(all.map(({ text }) => idIn(text)))).toEqual(new Set([input.publicId]));
});

test("the id of a purged resource stays taken for a year", async () => {
  const { app, fixtures } = world();
  const input = { ...(await inputOf("card.create")), publicId: publicId() };
  expect((await create(api, "card.create", input)).status).toBe(200);
  await app.call({
    method: "DELETE",
    path: `/cards/${input.publicId}`,
    token: fixtures.admin.token,
  });
  const claims = () => app.db.reader.clientId.findMany({ where: { publicId: input.publicId } });
  const later = async (days: number) => {
    app.advance(days * 24 * 3_600_000);
    await runDue(app.deps);
  };
  await later(31);
  expect(await claims()).toMatchObject([{ goneAt: expect.any(Date) }]);
  await later(360);
  expect(await claims()).toHaveLength(1);
  await later(10);
  expect(await claims()).toHaveLength(0);
  app.resetClock();
});
