import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { expectKept } from "../../support/kept.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { exported } from "../../transfer/exports/fetching.ts";
import { bring } from "../../transfer/imports/sending.ts";

const app = useApp({ isolated: true });

type Any = any;

/** The relations of the cards of boards by their titles, as each card sees them. */
async function relationsIn(rest: Any, boards: string[]) {
  const found: string[] = [];
  for (const board of boards) {
    const { body } = await rest.get(`/boards/${board}`);
    for (const { publicId, title } of body.lists.flatMap((list: Any) => list.cards)) {
      const { relations } = (await rest.get(`/cards/${publicId}`)).body;
      for (const { kind, card } of relations) found.push(`${title} ${kind} ${card.title}`);
    }
  }
  return found;
}

async function makeRelated() {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const [one, other] = [await makeBoard(workspace), await makeBoard(workspace)];
  const ids: Record<string, string> = {};
  for (const title of ["A", "B", "C"])
    ids[title] = await makeCard(workspace.admin, one.lists[0] ?? "", title);
  ids["X"] = await makeCard(workspace.admin, other.lists[0] ?? "", "X");
  const relate = (from: string, kind: string, to: string) =>
    rest.post(`/cards/${ids[from]}/relations`, { kind, relatedCardPublicId: ids[to] });
  await relate("A", "parent", "C");
  await relate("A", "parent", "B");
  await relate("B", "blocks", "C");
  await relate("X", "blocks", "A");
  await relate("X", "relates", "B");
  return { workspace, rest, boards: [one.publicId, other.publicId] as const };
}

const inside = [
  "A parent C",
  "A parent B",
  "B child A",
  "B blocks C",
  "C child A",
  "C blockedBy B",
];

test("a workspace's export and import keep all relations and the order of children", async () => {
  const { workspace, rest, boards } = await makeRelated();
  const before = await relationsIn(rest, [...boards]);
  expect(before).toHaveLength(10);
  const document = await exported(app(), workspace.admin.token, workspace.publicId);
  const { workspacePublicId } = await bring(app(), workspace.admin, document);
  const again = await exported(app(), workspace.admin.token, workspacePublicId);
  const { body } = await rest.get(`/workspaces/${workspacePublicId}/boards`);
  const copies = (body.items ?? body).map(({ publicId }: Any) => publicId);
  expect((await relationsIn(rest, copies)).toSorted()).toEqual(before.toSorted());
  expect(again.counts).toEqual(document.counts);
  await expectKept(app());
});

test("a copy of a board has the relations within it", async () => {
  const { workspace, rest, boards } = await makeRelated();
  const { body } = await rest.post(`/workspaces/${workspace.publicId}/boards`, {
    name: "Copy",
    sourceBoardPublicId: boards[0],
  });
  expect(await relationsIn(rest, [body.publicId])).toEqual(inside);
  await expectKept(app());
});

test("a board that moves keeps the relations within it; other cards lose theirs to it", async () => {
  const { workspace, rest, boards } = await makeRelated();
  const target = await makeWorkspace(app(), workspace.admin);
  const { status } = await rest.post(`/boards/${boards[0]}/move`, {
    workspacePublicId: target.publicId,
  });
  expect(status).toBe(200);
  expect(await relationsIn(rest, [boards[0]])).toEqual(inside);
  expect(await relationsIn(rest, [boards[1]])).toEqual([]);
  const { body } = await rest.get(`/workspaces/${workspace.publicId}/events?limit=100`);
  const dropped = body.items.filter(({ type }: Any) => type === "relation.deleted");
  expect(dropped.map(({ data }: Any) => [data.card.title, data.relation.kind])).toEqual([
    ["X", "blocks"],
    ["X", "relates"],
  ]);
  await expectKept(app());
});
