import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeScene } from "../views/scene.ts";

const app = useApp();

test("board.create copies the views of a board, which name what is on the copy", async () => {
  const { workspace, rest, one, two, save, events } = await makeScene(app());
  const post = async (path: string, body: object) => {
    const reply = await rest.post(path, body);
    expect([reply.status, reply.body.issues]).toEqual([200, undefined]);
    return reply.body;
  };
  const label = await post("/labels", {
    boardPublicId: one.publicId,
    name: "Bug",
    colourCode: "#ff0000",
  });
  const field = await post(`/boards/${one.publicId}/fields`, {
    name: "Size",
    type: "select",
    options: [{ name: "Large" }],
  });
  const [option] = field.options;
  const card = await post("/cards", { listPublicId: one.lists[0], title: "A card" });
  const list = one.lists[0];
  const view = await save({
    name: "Work in hand",
    scope: "board",
    boardPublicId: one.publicId,
    filter: {
      and: [
        { field: "listPublicId", op: "is", value: list },
        { field: "labels", op: "isAnyOf", value: [label.publicId] },
        { field: `fields.${field.publicId}`, op: "is", value: option.publicId },
        { field: "members", op: "is", value: "me" },
        { field: "publicId", op: "isNot", value: card.publicId },
      ],
    },
    sortBy: [{ field: "dueDate", order: "desc" }],
    groupBy: { field: `fields.${field.publicId}` },
    layout: "table",
  });
  await save({ name: "Mine", scope: "private", boards: [one.publicId] });
  await save({ name: "Ours", scope: "workspace", boards: [one.publicId, two.publicId] });
  const copy = await post(`/workspaces/${workspace.publicId}/boards`, {
    name: "Copy",
    sourceBoardPublicId: one.publicId,
  });
  const { body: views } = await rest.get(`/workspaces/${workspace.publicId}/views`);
  const copied = views.filter(
    ({ boardPublicId }: { boardPublicId: string }) => boardPublicId === copy.publicId,
  );
  const { body: fields } = await rest.get(`/boards/${copy.publicId}/fields`);
  expect(copied).toMatchObject([
    {
      name: "Work in hand",
      scope: "board",
      filter: {
        and: [
          { field: "listPublicId", op: "is", value: copy.lists[0].publicId },
          { field: "labels", op: "isAnyOf", value: [copy.labels[0].publicId] },
          {
            field: `fields.${fields[0].publicId}`,
            op: "is",
            value: fields[0].options[0].publicId,
          },
          { field: "members", op: "is", value: "me" },
          { field: "publicId", op: "isNot", value: copy.lists[0].cards[0].publicId },
        ],
      },
      sortBy: view.sortBy,
      groupBy: { field: `fields.${fields[0].publicId}` },
      layout: "table",
      isBroken: false,
      version: 1,
    },
  ]);
  const created = await events("view.created");
  expect(created.at(-1)?.data).toMatchObject({
    view: { publicId: copied[0].publicId, name: "Work in hand" },
    board: { publicId: copy.publicId },
  });
});
