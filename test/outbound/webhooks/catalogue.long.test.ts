import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { catalog, webhookEventTypes } from "../../../src/contract/events.ts";
import { main } from "../../kernel/access/perform.ts";
import { useWorld } from "../../kernel/access/world.ts";
import { theDocument } from "../../support/responses.ts";
import { as } from "../../support/as.ts";
import { sentTo } from "./hook.ts";

const world = useWorld();
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats.default(ajv);

const read = async () => (await as(world().app).rest.get("/webhooks/events")).body as any[];

test("webhook.catalogue lists every event type with a self-contained JSON Schema and a valid example, without a credential", async () => {
  const all = await read();
  expect(all.map(({ type }) => type)).toEqual(webhookEventTypes);
  const types = Object.keys(catalog);
  expect(types.filter((type) => !all.some((one) => one.type === type))).toEqual([
    "access.gained",
    "access.lost",
  ]);
  for (const { type, description, schema, example } of all) {
    expect(description).toBe(catalog[type as keyof typeof catalog].about);
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    const validate = ajv.compile(schema);
    expect([type, validate(example), validate.errors]).toEqual([type, true, null]);
    expect(Object.keys(example)).toEqual(
      expect.arrayContaining(["id", "type", "timestamp", "workspacePublicId", "actor", "data"]),
    );
    expect(example.type).toBe(type);
    expect(validate({ ...example, type: "other" })).toBe(false);
  }
  const anonymous = as(world().app);
  expect(await anonymous.trpc.webhook.catalogue.query()).toEqual(all);
});

test("each webhook type that writes send arrives, with a body as the document declares it", async () => {
  // The receiver refuses bodies with other fields, here and in every test.
  const { app, fixtures, receiver } = world();
  const { rest } = fixtures.admin;
  const { board, list, card, workspace } = fixtures.ids;
  const item = fixtures.ids.checklistItem;
  const writesOf: [path: string, body: object][] = [
    ["/users/me", { name: "Renamed" }],
    [`/boards/${board}`, { isArchived: true }],
    [`/boards/${board}`, { isArchived: false }],
    [`/lists/${list}`, { isArchived: true }],
    [`/lists/${list}`, { isArchived: false }],
    [`/lists/${list}`, { index: 100 }],
    [`/lists/${list}`, { index: 0 }],
    [`/cards/${card}`, { isArchived: true }],
    [`/cards/${card}`, { isArchived: false }],
    [`/cards/${card}`, { isComplete: true }],
    [`/cards/${card}`, { isComplete: false, listPublicId: fixtures.other.list }],
    [`/checklists/items/${item}`, { isComplete: true }],
    [`/checklists/items/${item}`, { isComplete: false }],
  ];
  const second = await rest.post(`/cards/${card}/checklists`, { name: "Second" });
  const target = await rest.post("/cards", { title: "Target", listPublicId: list });
  const types = new Set<string>();
  const view = { name: "Of all", scope: "workspace" };
  const calls = [
    ...writesOf.map(
      ([path, body]) =>
        () =>
          rest.put(path, body),
    ),
    () => rest.post(`/workspaces/${workspace}/views`, view),
    () => rest.put(`/checklists/items/${item}`, { checklistPublicId: second.body.publicId }),
    () => rest.put(`/checklists/${second.body.publicId}`, { cardPublicId: target.body.publicId }),
  ];
  for (const call of calls) {
    expect(await call()).toMatchObject({ status: 200 });
    for (const { body: sent } of await sentTo(app, receiver)) types.add(sent.type);
  }
  const announced = new Set<string>(Object.values(main));
  // An import of a job and a failing receiver send these, in tests of their own.
  const ofJobs = /^import\.|^webhook\.disabled$|^board\.moved$/;
  const left = webhookEventTypes.filter((one) => !announced.has(one) && !ofJobs.test(one));
  expect(left.filter((one) => !types.has(one))).toEqual([]);
});

test("the OpenAPI document has the same webhooks", async () => {
  const { webhooks, components } = theDocument() as any;
  const all = await read();
  expect(Object.keys(webhooks)).toEqual([...all.map(({ type }) => type), "webhook.test"]);
  for (const { type, example } of all) {
    const { operationId, requestBody, parameters } = webhooks[type].post;
    expect(operationId).toBe(`on.${type}`);
    const shown = requestBody.content["application/json"].example;
    expect(shown).toEqual(example);
    const { workspacePublicId, boardPublicId, actor, changes } = shown.data;
    expect({ actor, workspacePublicId }).toEqual({
      actor: shown.actor,
      workspacePublicId: shown.workspacePublicId,
    });
    expect(changes).toEqual(shown.changes);
    expect(boardPublicId ?? undefined).toEqual(shown.boardPublicId);
    const named = parameters.map(({ $ref }: any) => components.parameters[$ref.split("/").at(-1)]);
    expect(named.map(({ name }: any) => name)).toEqual([
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
    ]);
  }
});

test("the standardwebhooks library verifies the signature", async () => {
  const { app, fixtures, receiver } = world();
  const { body } = await fixtures.admin.rest.post(
    `/workspaces/${fixtures.ids.workspace}/webhooks`,
    {
      name: "Verified",
      url: `${receiver.url}verified`,
      events: ["list.created"],
    },
  );
  await fixtures.admin.rest.post("/lists", { name: "New", boardPublicId: fixtures.ids.board });
  const sent = (await sentTo(app, receiver)).find(({ path }) => path === "/verified");
  const raw = receiver.deliveries.find(({ path }) => path === "/verified")?.body ?? "";
  const hook = new Webhook(body.secret);
  expect(hook.verify(raw, sent?.headers ?? {})).toMatchObject({
    type: "list.created",
    data: { list: { name: "New" } },
  });
  expect(() => hook.verify(raw.replace("New", "Old"), sent?.headers ?? {})).toThrow(
    "No matching signature",
  );
});
