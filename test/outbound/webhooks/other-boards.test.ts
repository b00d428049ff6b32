import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { hooked, hookOf, local, receiverFor, sentTo } from "./hook.ts";

const app = useApp({ env: local });

/** The type and card title of each delivery, sorted. */
const cardsOf = (sent: Awaited<ReturnType<typeof sentTo>>) =>
  sent.map(({ body }) => [body.type, body.data.card.title]).toSorted();

describe("the failures of other boards do not happen here:", () => {
  test("webhooks not fired from the API", async () => {
    const { workspace, hook, one, admin } = await hooked(app());
    await admin.rest.post("/cards", { title: "REST", listPublicId: one });
    await workspace.admin.trpc.card.create.mutate({ title: "tRPC", listPublicId: one });
    const { body } = await workspace.admin.rest.post("/auth/api-keys", {
      password: "a password for tests",
      name: "bound",
      permissions: ["card:create", "card:view"],
    });
    await as(app(), String(body.key)).rest.post("/cards", { title: "key", listPublicId: one });
    const sent = await sentTo(app(), hook.receiver);
    expect(cardsOf(sent)).toEqual([
      ["card.created", "REST"],
      ["card.created", "key"],
      ["card.created", "tRPC"],
    ]);
    const actors = sent.map(({ body: { data } }) => data.actor.type);
    expect(actors.toSorted()).toEqual(["apiKey", "apiKey", "user"]);
  });

  test("webhooks not fired from the bulk paths", async () => {
    const { admin, hook, one, two, add } = await hooked(app(), { events: ["*"] });
    for (const title of ["A", "B", "C"]) await add(title);
    await sentTo(app(), hook.receiver);
    await admin.rest.post(`/lists/${one}/move-cards`, { targetListPublicId: two });
    expect(cardsOf(await sentTo(app(), hook.receiver))).toEqual([
      ["card.moved", "A"],
      ["card.moved", "B"],
      ["card.moved", "C"],
    ]);
    await admin.rest.post(`/lists/${two}/sort`, { by: "title", order: "desc" });
    await admin.rest.delete(`/lists/${two}`);
    const types = (await sentTo(app(), hook.receiver)).map(({ body }) => body.type);
    expect(types.toSorted()).toEqual(["list.deleted", "list.sorted"]);
  });

  test("one action delivered three times", async () => {
    const { admin, board, hook, one, add } = await hooked(app(), {
      events: ["*", "card.*", "card.created", "card.updated"],
    });
    const idempotent = { headers: { "Idempotency-Key": "once" } };
    const create = () =>
      admin.rest.post(
        "/cards",
        {
          title: "Once",
          listPublicId: one,
          labelPublicIds: board.labels,
          checklists: [{ name: "L", items: ["a", "b"] }],
        },
        idempotent,
      );
    const [first, again] = [await create(), await create()];
    expect(again.body.publicId).toBe(first.body.publicId);
    expect(cardsOf(await sentTo(app(), hook.receiver))).toEqual([["card.created", "Once"]]);
    await admin.rest.put(`/cards/${first.body.publicId}`, { title: "Twice", description: "New" });
    await admin.rest.put(`/cards/${first.body.publicId}`, { title: "Twice", description: "New" });
    expect(cardsOf(await sentTo(app(), hook.receiver))).toEqual([["card.updated", "Twice"]]);
    expect((await add("Other")).status).toBe(200);
    expect(await sentTo(app(), hook.receiver)).toHaveLength(1);
    expect(await sentTo(app(), hook.receiver)).toEqual([]);
  });

  test("a payload with the state before the change", async () => {
    const { admin, hook, two, add } = await hooked(app());
    const { body: card } = await add("Before");
    await sentTo(app(), hook.receiver);
    await admin.rest.put(`/cards/${card.publicId}`, {
      title: "After",
      listPublicId: two,
      isComplete: true,
    });
    const { body: now } = await admin.rest.get(`/cards/${card.publicId}`);
    const sent = await sentTo(app(), hook.receiver);
    expect(sent).toHaveLength(3);
    for (const { body } of sent) {
      expect(body.data).toMatchObject({
        card: { title: "After", isComplete: true, updatedAt: now.updatedAt },
        list: { publicId: two },
      });
    }
    const versions = sent.map(({ body }) => body.data.card.version).toSorted();
    expect(versions).toEqual([now.version - 2, now.version - 1, now.version]);
    const { data } = sent.find(({ body }) => body.type === "card.updated")?.body ?? {};
    expect(data.changes).toEqual({ title: { from: "Before", to: "After" } });
  });

  test("a slow or dead receiver that slowed or rolled back the write", async () => {
    const { workspace, hook, add, list } = await hooked(app());
    hook.receiver.response({ how: "stall" });
    const dead = await receiverFor(app());
    await hookOf(app(), workspace, {}, dead);
    dead.response({ how: "reset" });
    // Nothing is sent before the response, and the write waits for no receiver.
    const { status, body } = await add();
    expect(status).toBe(200);
    expect([hook.receiver.connections(), dead.connections()]).toEqual([0, 0]);
    expect(await list()).toMatchObject([{ status: "pending", attemptCount: 0 }]);
    expect((await workspace.admin.rest.get(`/cards/${body.publicId}`)).status).toBe(200);
    await workspace.admin.rest.put(hook.path, { active: false });
    await sentTo(app(), dead);
    expect((await workspace.admin.rest.get(`/cards/${body.publicId}`)).status).toBe(200);
  });

  test(`a "test" that said OK while the receiver refused`, async () => {
    const { admin, hook } = await hooked(app());
    const send = async () => (await admin.rest.post(`${hook.path}/test`)).body;
    for (const status of [302, 401, 404, 410, 500]) {
      hook.receiver.response({ status });
      expect(await send()).toMatchObject({ success: false, statusCode: status });
    }
    hook.receiver.response({ how: "reset" });
    expect(await send()).toEqual({ success: false, error: expect.stringMatching(/^The .+\.$/) });
    hook.receiver.response({ status: 204 });
    expect(await send()).toEqual({ success: true, statusCode: 204 });
    // A test is no delivery: its result does not change the health of the webhook.
    expect((await admin.rest.get(hook.path)).body).toMatchObject({
      active: true,
      failingSince: null,
      lastSuccessAt: null,
    });
  });

  test("a 5xx from the receiver treated as final", async () => {
    const { hook, add } = await hooked(app());
    hook.receiver.response((_, count) => ({ status: [500, 502, 503, 504][count] ?? 200 }));
    await add("Late");
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(cardsOf(await sentTo(app(), hook.receiver))).toEqual([["card.created", "Late"]]);
      app().advance(3 * 3_600_000);
    }
    expect(await sentTo(app(), hook.receiver)).toEqual([]);
  });

  test("a delivery of a write that was rolled back", async () => {
    const { admin, hook, one } = await hooked(app());
    const { status } = await admin.rest.post("/cards", {
      title: "Never",
      listPublicId: one,
      labelPublicIds: ["unknownlabel"],
    });
    expect(status).toBe(404);
    expect(await sentTo(app(), hook.receiver)).toEqual([]);
    expect(
      await app().db.reader.delivery.count({ where: { webhook: { publicId: hook.publicId } } }),
    ).toBe(0);
  });
});
