import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

test.each([
  ["a NUL character", "\0".repeat(12)],
  ["an unpaired surrogate", "\ud800".repeat(12)],
])(
  "a key with %s is refused in every call that takes keys, alone and in a batch",
  async (_, key) => {
    const workspace = await makeWorkspace(app());
    const { rest } = workspace.admin;
    const board = await makeBoard(workspace);
    const fields = { [key]: "a" };
    const create = { title: "A", listPublicId: board.lists[0], fields };
    const { body: card } = await rest.post("/cards", { ...create, fields: {} });
    const update = { cardPublicId: card.publicId, fields };
    const bulk = { cardPublicIds: [card.publicId], set: { fields } };
    const replies = await Promise.all([
      rest.post("/cards", create),
      rest.put(`/cards/${card.publicId}`, { fields }),
      rest.post(`/boards/${board.publicId}/cards/bulk`, bulk),
      ...[
        { operation: "card.create", input: create },
        { operation: "card.update", input: update },
        { operation: "card.bulkUpdate", input: { boardPublicId: board.publicId, ...bulk } },
      ].map((one) => rest.post(`/workspaces/${workspace.publicId}/batch`, { operations: [one] })),
    ]);
    const refusals = replies.map(({ status, body }) => [status, body.issues[0].code]);
    expect(refusals).toEqual(replies.map(() => [400, "invalid_text"]));
  },
);
