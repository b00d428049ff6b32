import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { translations } from "../../../src/api/kan/table.ts";
import { routesOf } from "../../../src/api/rest/routes.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { useApp } from "../../support/app.ts";
import { makeUser, makeWorkspace } from "../../support/make.ts";
import { clientOf } from "./client.ts";
import { makeSample } from "./sample.ts";

const app = useApp();

const translated = translations.flatMap(({ translate, ...route }) => (translate ? [route] : []));
// Files and exports are no fields, and a stream does not end.
const ofFields = routesOf(appRouter).filter(
  ({ options }) => options.requestBody !== "bytes" && options.events === undefined,
);
const routes = [...ofFields, ...translated].map(({ method, path }) => ({ method, path }));

/** Whether an answer complains about a field that a program of Kan may send. */
const refusesFields = (body: any): boolean =>
  body?.issues?.some(({ code }: any) => code === "unrecognized_keys") === true;

test.each(routes)("drops what Kan drops: $method $path", async ({ method, path }) => {
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, "zzzzzzzzzzzz"]);
  const kan = clientOf(app(), (await makeUser(app())).token);
  const address = `${path.replace(/\{\w+\}/g, "zzzzzzzzzzzz")}?unknownParameter=1`;
  const body = { ...Object.fromEntries(ids), unknownField: [{ of: "a newer version" }] };
  const reply = await kan(method, address, method === "GET" ? {} : { body });
  expect(refusesFields(reply.body), JSON.stringify(reply.body)).toBe(false);
  expect(reply.status).not.toBe(500);
});

test("nested fields are dropped too, and the REST API still refuses them", async () => {
  const workspace = await makeWorkspace(app());
  const kan = clientOf(app(), workspace.admin.token);
  const body = {
    name: "Nested",
    labels: [{ name: "Bug", colourCode: "#dc2626", icon: "bug" }],
    background: null,
  };
  const path = `/workspaces/${workspace.publicId}/boards`;
  expect(await kan("POST", path, { body })).toMatchObject({ status: 200 });
  expect((await workspace.admin.rest.post(path, body)).status).toBe(400);
});

test("numbers and switches may be texts", async () => {
  const { kan, params } = await makeSample(app());
  const { body: made } = await kan("POST", "/lists", {
    body: { name: "First", boardPublicId: params.boardPublicId },
  });
  const moved = await kan("PUT", `/lists/${made.publicId}`, { body: { index: "0" } });
  expect(moved.status).toBe(200);
  const { body: board } = await kan("GET", `/boards/${params.boardPublicId}`);
  expect(board.lists[0].publicId).toBe(made.publicId);
  const item = `/checklists/items/${params.checklistItemPublicId}`;
  const done = await kan("PATCH", item, { body: { index: "0", completed: "true" } });
  expect(done).toMatchObject({ status: 200, body: { completed: true } });
  const wrong = await kan("PUT", `/lists/${made.publicId}`, { body: { index: "first" } });
  expect(wrong).toMatchObject({ status: 400, body: { issues: [{ path: ["index"] }] } });
});

test("a key with kan_ in front is that key, in either header", async () => {
  const { rest } = await makeUser(app());
  const { body } = await rest.post("/auth/api-keys", {
    password: "a password for tests",
    name: "k",
  });
  const anybody = clientOf(app());
  for (const key of [body.key, `kan_${body.key}`])
    for (const headers of [{ "X-API-Key": key }, { Authorization: `Bearer ${key}` }])
      expect((await anybody("GET", "/users/me", { headers })).status).toBe(200);
  const wrong = { Authorization: `Bearer kan_${body.key}x` };
  expect((await anybody("GET", "/users/me", { headers: wrong })).status).toBe(401);
  const outside = new Request("http://service/api/v1/users/me", {
    headers: { Authorization: `Bearer kan_${body.key}` },
  });
  expect((await app().fetch(outside)).status).toBe(401);
});

test("slugs are checked by the names of Kan, which calls a taken one reserved", async () => {
  const { kan, params, workspace, board } = await makeSample(app());
  await kan("POST", `/workspaces/${params.workspacePublicId}/boards`, {
    body: { name: "Other", slug: "other-board" },
  });
  const path = `/boards/${board.publicId}/check-slug-availability?boardSlug=`;
  expect((await kan("GET", `${path}other-board`)).body).toMatchObject({ isReserved: true });
  expect((await kan("GET", `${path}free-board`)).body).toMatchObject({ isReserved: false });
  const ofWorkspace = "/workspaces/check-slug-availability?workspaceSlug=";
  const taken = await kan("GET", ofWorkspace + workspace.slug);
  expect(taken.body).toEqual({ isAvailable: false, isReserved: false });
});

test("labels that are made by name get colours in turn", async () => {
  const workspace = await makeWorkspace(app());
  const kan = clientOf(app(), workspace.admin.token);
  const names = Array.from({ length: 9 }, (_, nth) => `Label ${nth}`);
  const { body } = await kan("POST", `/workspaces/${workspace.publicId}/boards`, {
    body: { name: "Coloured", lists: [], labels: names },
  });
  const { labels } = (await kan("GET", `/boards/${body.publicId}`)).body;
  const colours = names.map((name) => labels.find((label: any) => label.name === name).colourCode);
  expect(new Set(colours).size).toBe(8);
  expect(colours[8]).toBe(colours[0]);
});

test.each(["s", "a secret of some length", "ünïcödé ".repeat(20), "x".repeat(64)])(
  "a webhook is signed with a secret of any text: %s",
  async (text) => {
    const { kan, params } = await makeSample(app());
    const path = `/workspaces/${params.workspacePublicId}/webhooks`;
    const webhook = { name: "Any", url: "https://93.184.215.14/", events: ["card.created"] };
    const made = await kan("POST", path, { body: { ...webhook, secret: text } });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const key = Buffer.from(made.body.secret.replace("whsec_", ""), "base64");
    const signature = (by: Buffer | string) => createHmac("sha256", by).update("m").digest("hex");
    expect(signature(key)).toBe(signature(text));
    const changed = await kan("PUT", `${path}/${made.body.publicId}`, {
      body: { name: "Renamed", secret: `${text}!` },
    });
    expect(changed).toMatchObject({ status: 200, body: { name: "Renamed" } });
    expect(changed.body).not.toHaveProperty("secret");
  },
);

test("errors carry the data of Kan's", async () => {
  const { kan, params } = await makeSample(app());
  expect(await kan("GET", "/cards/zzzzzzzzzzzz")).toMatchObject({
    status: 404,
    body: {
      code: "NOT_FOUND",
      message: expect.any(String),
      data: { code: "NOT_FOUND", httpStatus: 404, path: "card.get", zodError: null },
    },
  });
  const invalid = await kan("POST", "/cards", { body: { listPublicId: params.listPublicId } });
  expect(invalid.body.data).toMatchObject({
    code: "BAD_REQUEST",
    httpStatus: 400,
    path: "card.create",
    zodError: { formErrors: [], fieldErrors: { title: [expect.any(String)] } },
  });
  expect((await kan("GET", "/nothing")).body.data).toMatchObject({ httpStatus: 404, path: null });
  expect((await clientOf(app())("GET", "/workspaces")).body.data).toMatchObject({
    code: "UNAUTHORIZED",
    httpStatus: 401,
  });
});
