import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { routesOf } from "../../../src/api/rest/routes.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { interfaceTable } from "../../contract/interface-table.ts";
import { setOverride } from "../access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

const headers = { Prefer: "return=representation" };

/** Writes of the interface whose resource is gone afterwards, or that have no resource. */
const withoutResource = [
  "workspace.delete",
  "webhook.delete",
  "webhook.test",
  "checklist.deleteItem",
];

const start = async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace, { labels: 1 });
  const [list = ""] = board.lists;
  const [label = ""] = board.labels;
  const card = await makeCard(workspace.admin, list);
  const { memberPublicId: member } = await join(app(), workspace, "member");
  return { workspace, board, list, label, card, member, rest: workspace.admin.rest };
};

test("every write of the interface with a resource has a representation", () => {
  const writes = routesOf(appRouter).filter(
    ({ operation, procedure }) =>
      operation in interfaceTable &&
      procedure._def.type === "mutation" &&
      operation !== "integration.authorize",
  );
  const without = writes.filter(({ represents }) => represents === undefined);
  expect(without.map(({ operation }) => operation).toSorted()).toEqual(withoutResource.toSorted());
});

test("Prefer: return=representation answers what a read of the resource answers", async () => {
  const { workspace, board, list, label, card, member, rest } = await start();
  const here = `/workspaces/${workspace.publicId}`;
  const role = `${here}/roles/${workspace.roles.member}`;
  const permissions = `${here}/members/${member}/permissions`;
  const permission = "board:create";
  const calls = [
    ["put", `/cards/${card}`, { title: "Other", index: 0 }, `/cards/${card}`],
    ["put", `/cards/${card}/labels/${label}`, undefined, `/cards/${card}`],
    ["put", `/labels/${label}`, { name: "Late", colourCode: "#aabbcc" }, `/labels/${label}`],
    ["post", `${permissions}/revoke`, { permission }, permissions],
    ["post", `${role}/permissions/grant`, { permission: "list:delete" }, null],
  ] as const;
  for (const [method, path, body, readPath] of calls) {
    const written = await rest[method](path, body, { headers });
    expect(written, path).toMatchObject({ status: 200 });
    expect(written.headers.get("preference-applied"), path).toBe("return=representation");
    if (readPath !== null)
      expect(written.body, path).toMatchObject((await rest.get(readPath)).body);
    else expect(written.body.permissions, path).toContain("list:delete");
  }
  const made = await rest.post(
    "/lists",
    { name: "New", boardPublicId: board.publicId, index: 0 },
    {
      headers,
    },
  );
  expect(made.body).toMatchObject({ index: 0, version: 1, boardPublicId: board.publicId });
  expect(made.body).toEqual((await rest.get(`/lists/${made.body.publicId}`)).body);
  const space = await rest.post("/workspaces", { name: "Another" }, { headers });
  expect(space.body).toEqual((await rest.get(`/workspaces/${space.body.publicId}`)).body);
  expect(list).not.toBe(made.body.publicId);
});

test("without the preference, or with another one, the answer is that of the interface", async () => {
  const { card, rest } = await start();
  for (const prefer of [undefined, "return=minimal", "respond-async"]) {
    const given = prefer === undefined ? {} : { headers: { Prefer: prefer } };
    const { body, headers: answered } = await rest.put(`/cards/${card}`, { title: "Other" }, given);
    expect(Object.keys(body)).toEqual(["publicId", "title", "description", "dueDate"]);
    expect(answered.get("preference-applied")).toBeNull();
  }
});

test("tRPC answers the representation as well", async () => {
  const { card, workspace } = await start();
  const response = await app().fetch(
    new Request("http://service/trpc/card.update", {
      method: "POST",
      headers: {
        ...headers,
        Authorization: `Bearer ${workspace.admin.token}`,
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ cardPublicId: card, title: "Over tRPC" }),
    }),
  );
  expect(response.headers.get("preference-applied")).toBe("return=representation");
  expect(await response.json()).toMatchObject({
    result: { data: { title: "Over tRPC", version: 2, index: 0, labels: [] } },
  });
});

test("a repeated key replays the representation, and another preference is another call", async () => {
  const { card, rest } = await start();
  const key = { "Idempotency-Key": randomUUID() };
  const put = (more: object) =>
    rest.put(`/cards/${card}`, { title: "Once" }, { headers: { ...key, ...more } });
  const first = await put(headers);
  const again = await put(headers);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(again.headers.get("preference-applied")).toBe("return=representation");
  expect((await put({})).status).toBe(422);
});

test("a caller who may not view the resource gets the usual answer", async () => {
  const { workspace, card, label } = await start();
  const member = await join(app(), workspace, "member");
  await setOverride(app(), member.memberPublicId, "card:view", false);
  const toggled = await member.rest.put(`/cards/${card}/labels/${label}`, undefined, { headers });
  expect(toggled).toMatchObject({ status: 200, body: { newLabel: true } });
  expect(toggled.headers.get("preference-applied")).toBeNull();
});
