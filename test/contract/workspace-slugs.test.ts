import { beforeAll, describe, expect, test } from "vitest";
import { ruleOf, type Operation } from "../../src/contract/policy.ts";
import { declaredFailures } from "../../src/contract/interface.ts";
import { publicId as newId } from "../../src/platform/db/public-id.ts";
import { isStream } from "../support/responses.ts";
import { useApp } from "../support/app.ts";
import { loopback } from "../support/dns.ts";
import { makeUser, makeWorkspace, type User } from "../support/make.ts";
import { inputWith, requestOf } from "./example-request.ts";
import { createExampleResources, type ExampleResources } from "./example-resources.ts";
import { bodyOf, reaching, routes } from "./examples.ts";
import { expectFailure } from "./failure.ts";

// A workspace is named by its id or by its slug.

const app = useApp({
  outgoing: loopback("hooks.example.com"),
});
let resources: ExampleResources;
let stranger: User;
let slug: string;
beforeAll(async () => {
  resources = await createExampleResources(app());
  stranger = await makeUser(app(), "Stranger");
  const { workspace = "" } = resources.ids;
  slug = `engines-of-${workspace}`;
  await resources.user.rest.put(`/workspaces/${workspace}`, { slug });
});

// To strangers, there are no operations of operators.
const inWorkspaces = routes.filter(
  ([name, { path }]) =>
    path.includes("{workspacePublicId}") && ruleOf(name as Operation).on !== "operator",
);

/** The answer to the example of an operation, for a workspace that is named so. */
async function answer(
  [name, route, operation]: (typeof routes)[number],
  workspacePublicId: string,
  { token }: User,
) {
  const input = { ...(await inputWith(name, operation, resources)), workspacePublicId };
  const given = input as Record<string, unknown>;
  const needed = operation.parameters.filter((one: any) => one.in === "query" && one.required);
  const query = new URLSearchParams(needed.map((one: any) => [one.name, String(given[one.name])]));
  const fields = Object.keys(bodyOf(operation)).map((field) => [field, given[field]]);
  const sent = { ids: input, query, body: Object.fromEntries(fields) };
  const response = await app().fetch(requestOf(route, operation, token, sent));
  const body = isStream(response) ? await response.body?.cancel() : await response.text();
  return { status: response.status, body };
}

describe.each(inWorkspaces)("%s", (...operation) => {
  test("is refused to strangers by slug as by id, and is 404 for an unknown one", async () => {
    const { workspace = "" } = resources.ids;
    const byId = await answer(operation, workspace, stranger);
    expect(byId.status).toBe(403);
    for (const named of [slug, slug.toUpperCase()]) {
      expect(await answer(operation, named, stranger)).toEqual(byId);
    }
    const unknown = await answer(operation, "zzzzzzzzzzzz", stranger);
    expect(unknown.status).toBe(404);
    expect(await answer(operation, "no-such-workspace", stranger)).toEqual(unknown);
  });
});

const reads = inWorkspaces.filter(
  ([name, { method, options }]) =>
    method === "GET" && !reaching.test(name) && options.response !== "stream",
);

test.each(reads)("%s answers by slug what it answers by id", async (...operation) => {
  const { workspace = "" } = resources.ids;
  const byId = await answer(operation, workspace, resources.user);
  expect(byId.status).toBe(200);
  const { status, body } = await answer(operation, slug.toUpperCase(), resources.user);
  expect(status).toBe(200);
  // Cursors are sealed anew.
  const plain = (text: unknown) => String(text).replace(/"\w*[cC]ursor":"[^"]*"/g, "");
  expect(plain(body)).toBe(plain(byId.body));
});

test("a write by slug is a write to the workspace", async () => {
  const { user, ids } = resources;
  const made = await user.rest.post(`/workspaces/${slug}/boards`, { name: "By slug" });
  expect(made).toMatchObject({ status: 200, body: { workspacePublicId: ids["workspace"] } });
  const batch = {
    operations: [{ operation: "board.create", input: { workspacePublicId: slug, name: "B" } }],
  };
  expect((await user.rest.post(`/workspaces/${slug}/batch`, batch)).status).toBe(200);
});

test("a create may be repeated by the id or by the slug, and is not made twice", async () => {
  const { user, ids } = resources;
  const { workspace = "" } = ids;
  const creates = {
    boards: { name: "Once" },
    roles: { name: "Once", hierarchyLevel: 20, permissions: ["workspace:view"] },
    webhooks: { name: "Once", url: "https://hooks.example.com/once", events: ["card.created"] },
  };
  for (const [kind, fields] of Object.entries(creates)) {
    const given = [workspace, slug, slug.toUpperCase(), workspace];
    const body = { ...fields, publicId: newId() };
    const responses = [];
    for (const named of given)
      responses.push(await user.rest.post(`/workspaces/${named}/${kind}`, body));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(responses.map((one) => one.body.publicId))).toEqual(new Set([body.publicId]));
    const reversed = { ...body, name: "Twice", publicId: newId() };
    expect((await user.rest.post(`/workspaces/${slug}/${kind}`, reversed)).status).toBe(200);
    expect((await user.rest.post(`/workspaces/${workspace}/${kind}`, reversed)).status).toBe(200);
    const elsewhere = await makeWorkspace(app(), user);
    const other = await user.rest.post(`/workspaces/${elsewhere.slug}/${kind}`, body);
    expectFailure(other, "CONFLICT", [{ path: ["publicId"] }]);
  }
});

test("a slug that looks like an id never names a workspace", async () => {
  const victim = await makeWorkspace(app());
  const other = await makeWorkspace(app());
  await victim.admin.rest.delete(`/workspaces/${victim.publicId}`);
  for (const taken of [victim.publicId, "abcdefghijkl"]) {
    const path = `/workspaces/${other.publicId}`;
    expect((await other.admin.rest.put(path, { slug: taken })).status).toBe(200);
    expectFailure(await other.admin.rest.get(`/workspaces/${taken}`), "NOT_FOUND");
    expect((await other.admin.rest.get(`/workspaces/by-slug/${taken}`)).status).toBe(200);
  }
});

test("a slug has 3 to 64 characters, and 12 or more in the operations of the interface", async () => {
  const { admin, publicId } = await makeWorkspace(app());
  const short = publicId.slice(0, 9);
  await admin.rest.put(`/workspaces/${publicId}`, { slug: short });
  expect((await admin.rest.get(`/workspaces/${short}`)).body.publicId).toBe(publicId);
  for (const bad of ["ab", "a".repeat(65)]) {
    const reply = await admin.rest.get(`/workspaces/${bad}`);
    expectFailure(reply, "BAD_REQUEST", [{ path: ["workspacePublicId"] }]);
  }
  for (const [name, { method, path }] of inWorkspaces) {
    if (!(name in declaredFailures)) continue;
    const filled = path.replace("{workspacePublicId}", short).replace(/\{\w+\}/g, "zzzzzzzzzzzz");
    const body = method === "POST" ? { permission: "card:create" } : undefined;
    const call = { method, path: filled, token: admin.token };
    const reply = await app().call(name === "webhook.test" ? call : { ...call, body });
    expectFailure(reply, "BAD_REQUEST", [{ path: ["workspacePublicId"] }]);
  }
});
