import { createCollection, createLiveQueryCollection, eq } from "@tanstack/db";
import { expect, test } from "vitest";
import {
  cardCollectionOptions,
  labelCollectionOptions,
  listCollectionOptions,
  newCardRow,
} from "../../../src/client/tanstack-db/index.ts";
import { newPublicId } from "../../../src/client/index.ts";
import { useApp } from "../../support/app.ts";
import { agrees, connect, makeScene, titles } from "../store/scene.ts";
import { waitFor } from "../../support/wait.ts";

const app = useApp();

/** Collections of a board, loaded. */
async function collections() {
  const scene = await makeScene(app());
  const { store, client, network } = connect(app, scene.admin);
  const cards = createCollection(cardCollectionOptions(store, scene.board));
  const lists = createCollection(listCollectionOptions(store, scene.board));
  const labels = createCollection(labelCollectionOptions(store, scene.board));
  await Promise.all([cards.preload(), lists.preload(), labels.preload()]);
  const view = store.board(scene.board);
  return { scene, store, client, network, cards, lists, labels, view };
}

test("changes of collections show at once and are sent by the store", async () => {
  const { cards, lists, labels, view, client, store, scene } = await collections();
  const [a = "", b = "", c = ""] = scene.cards;
  const list = newPublicId();
  const limited = { wipLimit: 3, wipMode: "block" } as const;
  const row = { publicId: list, name: "Later", ...limited, cardCount: 0, index: 0 };
  await lists.insert(row).isPersisted.promise;
  const label = labels.get(scene.labels[0] ?? "");
  const labelled = label === undefined ? [] : [label];
  const card = newCardRow({ listPublicId: scene.second, title: "D", labels: labelled });
  await cards.insert(card).isPersisted.promise;
  await cards.update(a, (draft) => {
    draft.title = "Renamed";
    draft.listPublicId = list;
    draft.isComplete = true;
  }).isPersisted.promise;
  await cards.update(b, (draft) => {
    draft.index = 1;
    draft.labels = labelled;
  }).isPersisted.promise;
  await cards.delete(c).isPersisted.promise;
  await labels.update(scene.labels[0] ?? "", (draft) => {
    draft.name = "Other";
  }).isPersisted.promise;
  await labels.delete(scene.labels[1] ?? "").isPersisted.promise;
  expect(titles(view)).toEqual([["Renamed"], ["B"], ["D"], []]);
  expect(lists.get(list)).toMatchObject({ name: "Later", ...limited, cardCount: 1, index: 0 });
  expect(cards.get(card.publicId)).toMatchObject({ title: "D", labels: [{ name: "Other" }] });
  expect(cards.get(a)).toMatchObject({ listPublicId: list, isComplete: true });
  expect(cards.has(c)).toBe(false);
  await agrees({ client, store }, view);
  expect(store.mutations()).toEqual({ pending: [], failed: [] });
  expect(cards.toArray.map(({ title }) => title).toSorted()).toEqual(["B", "D", "Renamed"]);
  expect(labels.size).toBe(1);
  await lists.delete(list).isPersisted.promise;
  await agrees({ client, store }, view);
  expect(cards.has(a)).toBe(false);
});

test("values of custom fields are set and cleared", async () => {
  const { cards, client, store, scene, view } = await collections();
  const [size, note] = await Promise.all(
    ["Size", "Note"].map((name) =>
      client.field.create({
        boardPublicId: scene.board,
        name,
        type: "text",
        isShownOnCard: true,
      }),
    ),
  );
  await agrees({ client, store }, view);
  const [a = ""] = scene.cards;
  const fields = { [size?.publicId ?? ""]: "L", [note?.publicId ?? ""]: "Later" };
  const card = newCardRow({ listPublicId: scene.second, title: "D", fields });
  await cards.insert(card).isPersisted.promise;
  expect(cards.get(card.publicId)).toMatchObject({ fields });
  await cards.update(a, (draft) => {
    draft.fields = fields;
  }).isPersisted.promise;
  await cards.update(a, (draft) => {
    draft.title = "Renamed";
    delete draft.fields[size?.publicId ?? ""];
  }).isPersisted.promise;
  await agrees({ client, store }, view);
  expect(cards.get(a)?.fields).toEqual({ [note?.publicId ?? ""]: "Later" });
});

test("live queries follow the changes of others, while own changes are unsent", async () => {
  const { cards, network, store, scene } = await collections();
  const { second, admin } = scene;
  const query = createLiveQueryCollection((from) =>
    from.from({ card: cards }).where(({ card }) => eq(card.listPublicId, second)),
  );
  await query.preload();
  const all = [...cards.keys()];
  network.intercept = (request) =>
    request.url.includes("card.update")
      ? Promise.reject(new TypeError("The network is down."))
      : Promise.resolve(undefined);
  const own = cards.update(all[0] ?? "", (draft) => {
    draft.title = "Unsent";
  });
  await own.isPersisted.promise;
  expect(store.mutations().pending).toHaveLength(1);
  await admin.rest.put(`/cards/${all[1]}`, { listPublicId: second });
  await waitFor(() => expect(query.toArray).toMatchObject([{ publicId: all[1] }]));
  expect(cards.get(all[0] ?? "")?.title).toBe("Unsent");
});

test("a change that the service refuses is rolled back", async () => {
  const { cards, store, view } = await collections();
  const [id = ""] = cards.keys();
  const before = cards.get(id)?.title;
  cards.update(id, (draft) => {
    draft.title = "";
  });
  expect(cards.get(id)?.title).toBe("");
  await waitFor(() => expect(cards.get(id)?.title).toBe(before));
  expect(store.mutations().failed).toHaveLength(1);
  expect(view.get().status).toBe("ready");
});

test("fields that the service sets cannot be changed", async () => {
  const { cards, store } = await collections();
  const [id = ""] = cards.keys();
  const write = cards.update(id, (draft) => {
    draft.commentCount = 7;
  });
  await expect(write.isPersisted.promise).rejects.toThrow('"commentCount" cannot be changed');
  expect(cards.get(id)?.commentCount).toBe(0);
  expect(store.mutations().pending).toEqual([]);
});

test("a collection of a board that cannot be seen fails", async () => {
  const { board } = await makeScene(app());
  const { admin } = await makeScene(app());
  const cards = createCollection(cardCollectionOptions(connect(app, admin).store, board));
  await expect(cards.preload()).rejects.toMatchObject({ status: 403 });
});
