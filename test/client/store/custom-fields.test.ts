import { expect, onTestFinished, test } from "vitest";
import type { BoardStore, FieldView } from "../../../src/client/store/index.ts";
import { useApp } from "../../support/app.ts";
import { agrees, connect, makeScene } from "./scene.ts";
import { waitFor } from "../../support/wait.ts";

const app = useApp();

/** A scene whose board has a shown select field, a shown text field and a hidden number field. */
async function fieldScene() {
  const scene = await makeScene(app());
  const path = `/boards/${scene.board}/fields`;
  const made: FieldView[] = [];
  for (const field of [
    { name: "Size", type: "select", options: [{ name: "S" }, { name: "L" }], isShownOnCard: true },
    { name: "Customer", type: "text", isShownOnCard: true },
    { name: "Effort", type: "number" },
  ]) {
    const { status, body } = await scene.admin.rest.post(path, field);
    expect(status).toBe(200);
    made.push(body);
  }
  const [size, customer, effort] = made as [FieldView, FieldView, FieldView];
  const tab = connect(app, scene.admin);
  const board = tab.store.board(scene.board);
  onTestFinished(board.open());
  await board.ready();
  const [card = ""] = scene.cards;
  return { ...scene, tab, board, size, customer, effort, card };
}

const valuesOf = (board: BoardStore, id: string) =>
  board
    .get()
    .board?.lists.flatMap(({ cards }) => cards)
    .find(({ publicId }) => publicId === id)?.fields;

test("values show at once, those of hidden fields on the card alone, and as the service answers", async () => {
  const { tab, board, first, size, customer, effort, card } = await fieldScene();
  const [small, large] = size.options.map(({ publicId }) => publicId);
  const detail = tab.store.card(card);
  onTestFinished(detail.subscribe(() => undefined));
  await waitFor(() => expect(detail.get().status).toBe("ready"));
  const set = { [size.publicId]: large ?? "", [effort.publicId]: 3 };
  const update = board.cards.update(card, { fields: set });
  expect(valuesOf(board, card)).toEqual({ [size.publicId]: large });
  expect(detail.get().card?.fields).toEqual(set);
  const created = board.cards.create({
    list: first,
    title: "D",
    fields: { [customer.publicId]: "Ada", [size.publicId]: small ?? "", [effort.publicId]: null },
  });
  expect(valuesOf(board, created.publicId)).toEqual({
    [customer.publicId]: "Ada",
    [size.publicId]: small,
  });
  await Promise.all([update.done, created.done]);
  await agrees(tab, board);
  // The events of boards have no values of hidden fields.
  await tab.client.comment.create({ cardPublicId: card, comment: "One" });
  await waitFor(() => expect(detail.get().card?.commentCount).toBe(1));
  expect(detail.get().card?.fields).toEqual(set);
  await tab.client.card.update({ cardPublicId: card, fields: { [effort.publicId]: 4 } });
  await waitFor(() => expect(detail.get().card?.fields[effort.publicId]).toBe(4));
  board.cards.update(card, { fields: { [size.publicId]: null } });
  expect(valuesOf(board, card)).toEqual({});
  await agrees(tab, board);
  expect(detail.get().card?.fields).toEqual({ [effort.publicId]: 4 });
});

test("a refused value is rolled back", async () => {
  const { tab, board, effort, customer, card } = await fieldScene();
  const write = board.cards.update(card, {
    fields: { [customer.publicId]: "Ada", [effort.publicId]: "many" },
  });
  expect(valuesOf(board, card)).toEqual({ [customer.publicId]: "Ada" });
  await expect(write.done).rejects.toMatchObject({
    status: 400,
    issues: [{ path: ["fields", effort.publicId] }],
  });
  expect(valuesOf(board, card)).toEqual({});
  expect(tab.store.mutations().failed).toHaveLength(1);
});

test("fields are added, changed, deleted and restored, in all stores", async () => {
  const { tab, board, admin, board: _, size, customer, card, ...scene } = await fieldScene();
  const other = connect(app, admin);
  const there = other.store.board(board.publicId);
  onTestFinished(there.open());
  await there.ready();
  const [small = "", large = ""] = size.options.map(({ publicId }) => publicId);
  const names = (one: BoardStore) => one.get().board?.fields.map(({ name }) => name);
  const settled = async () => {
    await agrees(tab, board);
    await agrees(other, there);
  };
  await board.cards.update(card, {
    fields: { [size.publicId]: large, [customer.publicId]: "Ada" },
  }).done;
  const { publicId: due } = board.fields.create({ name: "Due", type: "date", index: 0 });
  expect(names(board)).toEqual(["Due", "Size", "Customer", "Effort"]);
  board.fields.update(due, { name: "Deadline", index: 2 });
  expect(names(board)).toEqual(["Size", "Customer", "Deadline", "Effort"]);
  await settled();
  const reads = () => other.network.requests.filter(({ url }) => url.includes("board.get?")).length;
  const before = reads();
  const options = [{ publicId: small, name: "Small", colourCode: null }];
  board.fields.update(size.publicId, { options });
  expect(board.get().board?.fields[0]?.options).toEqual(options);
  expect(valuesOf(board, card)).toEqual({ [customer.publicId]: "Ada" });
  board.fields.update(customer.publicId, { isShownOnCard: false });
  board.fields.delete(due);
  await waitFor(() => expect(names(there)).toEqual(["Size", "Customer", "Effort"]));
  await waitFor(() => expect(valuesOf(there, card)).toEqual({}));
  // The events say all of it.
  expect(reads()).toBe(before);
  await settled();
  board.fields.update(customer.publicId, { isShownOnCard: true });
  board.fields.update(size.publicId, { options: [{ publicId: large, name: "Large" }] });
  board.fields.restore(due);
  await waitFor(() =>
    expect(valuesOf(there, card)).toEqual({ [size.publicId]: large, [customer.publicId]: "Ada" }),
  );
  await settled();
  expect(scene.cards).toHaveLength(3);
});

test("an open card follows the fields of its board", async () => {
  const { tab, board, effort, card } = await fieldScene();
  const detail = tab.store.card(card);
  onTestFinished(detail.subscribe(() => undefined));
  await tab.client.card.update({ cardPublicId: card, fields: { [effort.publicId]: 3 } });
  const shows = (values: object) =>
    waitFor(() => expect(detail.get().card?.fields).toEqual(values));
  await shows({ [effort.publicId]: 3 });
  await board.fields.delete(effort.publicId).done;
  await shows({});
  await board.fields.restore(effort.publicId).done;
  await shows({ [effort.publicId]: 3 });
});

test("`override` lets a list exceed its limit", async () => {
  const { tab, board, first, second, card } = await fieldScene();
  await tab.client.list.update({ listPublicId: second, wipLimit: 1, wipMode: "block" });
  await board.cards.create({ list: second, title: "One" }).done;
  const refused = { code: "CONFLICT", issues: [{ code: "wip_limit" }] };
  await expect(board.cards.create({ list: second, title: "Two" }).done).rejects.toMatchObject(
    refused,
  );
  await expect(board.cards.move(card, { list: second }).done).rejects.toMatchObject(refused);
  await board.cards.create({ list: second, title: "Two", override: true }).done;
  const move = board.cards.move(card, { list: second, override: true });
  await move.done;
  await board.cards.archive(card).done;
  await expect(board.cards.unarchive(card).done).rejects.toMatchObject(refused);
  await board.cards.unarchive(card, { override: true }).done;
  await board.cards.delete(card).done;
  await expect(board.cards.restore(card).done).rejects.toMatchObject(refused);
  await board.cards.restore(card, { override: true }).done;
  await board.lists.delete(second).done;
  await expect(board.lists.restore(second).done).rejects.toMatchObject(refused);
  await board.lists.restore(second, { override: true }).done;
  await agrees(tab, board);
  expect(board.get().board?.lists.map(({ publicId }) => publicId)).toContain(first);
});
