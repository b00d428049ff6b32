import { expect, test } from "vitest";
import { statementOf } from "../../support/statement-of.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace, type Workspace } from "../../support/make.ts";
import { fill } from "../../transfer/exports/many.ts";

const app = useApp();

const search = (workspace: Workspace, query: string, filter: unknown, who = workspace.admin) => {
  const text = encodeURIComponent(JSON.stringify(filter));
  const path = `/workspaces/${workspace.publicId}/search`;
  return who.rest.get(`${path}?query=${query}&filter=${text}`);
};

test("a filter selects cards and their comments, on all boards, and leaves out boards", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const [one, two] = [await makeBoard(workspace), await makeBoard(workspace)];
  await rest.put(`/boards/${one.publicId}`, { name: "Invoices" });
  const mine = await makeCard(workspace.admin, one.lists[0] ?? "", "Pay the invoices");
  const theirs = await makeCard(workspace.admin, two.lists[0] ?? "", "Send invoices");
  const comment = { comment: "Which invoices?" };
  const { body: said } = await rest.post(`/cards/${mine}/comments`, comment);
  await rest.post(`/cards/${theirs}/comments`, comment);
  await rest.put(`/cards/${mine}`, { priority: "high" });
  const all = await rest.get(`/workspaces/${workspace.publicId}/search?query=invoices`);
  expect(all.body.items).toHaveLength(5);
  const urgent = { field: "priority", op: "gte", value: "high" };
  const found = await search(workspace, "invoices", urgent);
  expect(found.body.items.map(({ publicId }: any) => publicId)).toEqual([mine, said.publicId]);
  expect((await search(workspace, "invoices&type=board", urgent)).body.items).toEqual([]);
  expect((await search(workspace, "invoices", { not: urgent })).body.items).toHaveLength(2);
  const wrong = { and: [urgent, { field: "priority", op: "is", value: "some" }] };
  expect(await search(workspace, "invoices", wrong)).toMatchObject({
    status: 400,
    body: { issues: [{ path: ["filter", "and", 1, "value"] }] },
  });
});

test("a field of a board that the caller cannot see is an unknown field", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const hidden = await makeBoard(workspace);
  await rest.put(`/boards/${hidden.publicId}`, { visibility: "restricted" });
  const field = { name: "Hidden", type: "number" };
  const { body } = await rest.post(`/boards/${hidden.publicId}/fields`, field);
  const filter = { field: `fields.${body.publicId}`, op: "gt", value: "text" };
  const unknown = { ...filter, field: "fields.nosuchfield1" };
  const member = await join(app(), workspace, "member");
  const [known, other] = [
    await search(workspace, "card", filter, member),
    await search(workspace, "card", unknown, member),
  ];
  expect([known.status, known.body]).toEqual([other.status, other.body]);
  expect(await search(workspace, "card", filter)).toMatchObject({ status: 400 });
});

test("at most 5,000 cards with the words are tested, and the answer says so", async () => {
  const workspace = await makeWorkspace(app());
  const [list = ""] = (await makeBoard(workspace)).lists;
  await fill(app(), list, { cards: 5_100 });
  await app().db.write(statementOf("ANALYZE"));
  const isOne = { field: "title", op: "is", value: "Card 3000" };
  const none = { field: "title", op: "is", value: "Nothing" };
  const found = await search(workspace, "card", isOne);
  expect(found.body).toMatchObject({ items: [{ title: "Card 3000" }], isCapped: true });
  expect((await search(workspace, "card", none)).body).toMatchObject({ items: [], isCapped: true });
  expect((await search(workspace, "3000", isOne)).body).toMatchObject({ isCapped: false });
});
