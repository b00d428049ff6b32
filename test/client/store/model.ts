import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import {
  createClient,
  memoryStore,
  type Client,
  type SessionStore,
} from "../../../src/client/index.ts";
import type { BoardStore, FieldView } from "../../../src/client/store/index.ts";
import { randomFrom, type Random } from "../../property/sync/operations.ts";
import type { App } from "../../support/app.ts";
import { join, type User } from "../../support/make.ts";
import { connect, makeScene, open } from "./scene.ts";
import { waitFor, waitUntil } from "../../support/wait.ts";

type Run = (board: BoardStore, random: Random) => unknown;

const cardsOf = (board: BoardStore) => board.get().board?.lists.flatMap((list) => list.cards) ?? [];
const aList = (board: BoardStore, random: Random) =>
  random.pick(board.get().board?.lists ?? [])?.publicId ?? "";
const aCard = (board: BoardStore, random: Random) => random.pick(cardsOf(board))?.publicId ?? "";
/** A few labels: a bulk change has an event for each card and label. */
const someLabels = (board: BoardStore, random: Random) =>
  (board.get().board?.labels ?? [])
    .map(({ publicId }) => publicId)
    .filter(() => random.below(3) === 0)
    .slice(0, 8);
const fieldTypes = ["text", "number", "date", "checkbox", "select", "multiSelect"] as const;
const options = (random: Random) => [1, 2, 3].map(() => ({ name: random.name() }));
const aField = (board: BoardStore, random: Random) => random.pick(board.get().board?.fields ?? []);

/** A value for a field, or none; a field of another type refuses some of them. */
function aValue(field: FieldView | undefined, random: Random) {
  const ids = (field?.options ?? []).map(({ publicId }) => publicId);
  if (random.below(5) === 0) return null;
  if (field?.type === "number") return random.below(100) / 4;
  if (field?.type === "checkbox") return random.flip();
  if (field?.type === "date") return new Date(random.below(2 ** 31) * 1_000).toISOString();
  if (field?.type === "select") return random.pick(ids) ?? null;
  return field?.type === "multiSelect" ? ids.filter(random.flip) : random.name();
}
const someValues = (board: BoardStore, random: Random) => {
  const fields = (board.get().board?.fields ?? []).filter(() => random.below(3) === 0);
  return Object.fromEntries(fields.map((field) => [field.publicId, aValue(field, random)]));
};

const aKind = (random: Random) =>
  random.pick(["blocks", "blockedBy", "parent", "child", "relates"] as const) ?? "blocks";
const hasBlocked = ({ relatedCards }: ReturnType<typeof cardsOf>[number]) =>
  relatedCards.blocks.length > 0;

const often = (count: number, run: Run) => Array.from({ length: count }, () => run);

/** The changes of a tab, the more frequent ones several times. */
const changes: Run[] = [
  ...often(4, (board, random) =>
    board.cards.create({
      list: aList(board, random),
      title: random.name(),
      index: random.below(4),
      fields: someValues(board, random),
    }),
  ),
  ...often(6, (board, random) =>
    board.cards.move(aCard(board, random), {
      list: aList(board, random),
      ...(random.flip() ? { index: random.below(5) } : {}),
    }),
  ),
  (board, random) => board.cards.move(aCard(board, random), { before: aCard(board, random) }),
  (board, random) => board.cards.move(aCard(board, random), { after: aCard(board, random) }),
  (board, random) => board.cards.update(aCard(board, random), { title: random.name() }),
  // A conflict: another tab may have changed the card.
  (board, random) => {
    const { publicId = "", version = 1 } = random.pick(cardsOf(board)) ?? {};
    return board.cards.update(publicId, { title: random.name() }, { ifVersion: version });
  },
  (board, random) =>
    board.cards.update(aCard(board, random), {
      description: random.flip() ? random.name() : null,
      isComplete: random.flip(),
    }),
  ...often(3, (board, random) =>
    board.cards.update(aCard(board, random), { fields: someValues(board, random) }),
  ),
  (board, random) => {
    const type = random.pick(fieldTypes) ?? "text";
    const isSelect = type === "select" || type === "multiSelect";
    return board.fields.create({
      name: random.name(),
      type,
      isShownOnCard: random.below(4) > 0,
      index: random.below(4),
      ...(isSelect ? { options: options(random) } : {}),
    });
  },
  (board, random) =>
    board.fields.update(aField(board, random)?.publicId ?? "", {
      name: random.name(),
      ...(random.flip() ? { isShownOnCard: random.below(4) > 0 } : { index: random.below(4) }),
    }),
  (board, random) => {
    const field = aField(board, random);
    const kept = (field?.options ?? []).filter(() => random.below(4) > 0).toReversed();
    const added = random.flip() ? options(random).slice(2) : [];
    return board.fields.update(field?.publicId ?? "", { options: [...kept, ...added] });
  },
  (board, random) => {
    const { publicId = "" } = aField(board, random) ?? {};
    const isRestored = random.flip();
    board.fields.delete(publicId);
    return isRestored && board.fields.restore(publicId);
  },
  (board, random) => board.cards.setLabels(aCard(board, random), someLabels(board, random)),
  (board, random) => board.cards.addLabel(aCard(board, random), someLabels(board, random)[0] ?? ""),
  ...often(4, (board, random) =>
    board.cards.relate(aCard(board, random), aKind(random), aCard(board, random)),
  ),
  (board, random) => {
    const { publicId = "", relatedCards } = random.pick(cardsOf(board).filter(hasBlocked)) ?? {};
    return board.cards.unrelate(publicId, "blocks", random.pick(relatedCards?.blocks ?? []) ?? "");
  },
  (board, random) => board.cards.archive(aCard(board, random)),
  (board, random) => board.cards.unarchive(aCard(board, random)),
  (board, random) => board.cards.delete(aCard(board, random)),
  (board, random) => board.comments.create(aCard(board, random), random.name()),
  (board, random) =>
    board.checklists.create(aCard(board, random), { name: "c", items: ["a", "b"] }),
  (board, random) => board.lists.create({ name: random.name(), index: random.below(4) }),
  (board, random) => board.lists.update(aList(board, random), { name: random.name() }),
  (board, random) => board.lists.move(aList(board, random), { index: random.below(4) }),
  (board, random) => random.below(4) === 0 && board.lists.delete(aList(board, random)),
  (board, random) => board.labels.create({ name: random.name() }),
  (board, random) =>
    board.labels.update(someLabels(board, random)[0] ?? "", { name: random.name() }),
  (board, random) =>
    random.below(4) === 0 && board.labels.delete(someLabels(board, random)[0] ?? ""),
  (board, random) => board.update({ name: random.name() }),
  (board) => board.undo(),
];

type RunRemote = (
  board: BoardStore,
  random: Random,
  client: Client,
  workspacePublicId: string,
) => Promise<unknown>;

/** Changes of many cards at once, by a caller without a store. */
const remote: RunRemote[] = [
  (board, random, client) =>
    client.card.bulkUpdate({
      boardPublicId: board.publicId,
      cardPublicIds: cardsOf(board)
        .filter(random.flip)
        .map(({ publicId }) => publicId),
      set: random.flip()
        ? { listPublicId: aList(board, random) }
        : {
            isComplete: random.flip(),
            addRelations: [{ kind: aKind(random), relatedCardPublicId: aCard(board, random) }],
            addLabelPublicIds: someLabels(board, random),
            fields: someValues(board, random),
          },
    }),
  (board, random, client, workspacePublicId) =>
    client.workspace.batch({
      workspacePublicId,
      operations: [1, 2, 3].map(() => ({
        operation: "card.update" as const,
        input: {
          cardPublicId: aCard(board, random),
          listPublicId: aList(board, random),
          index: random.below(3),
          title: random.name(),
        },
      })),
    }),
  (board, random, client) =>
    client.list.sort({ listPublicId: aList(board, random), by: "title", order: "desc" }),
  (board, random, client) =>
    client.list.moveCards({
      listPublicId: aList(board, random),
      targetListPublicId: aList(board, random),
    }),
];

/** The session of a user: all tabs renew it together. */
const sessionOf = ({ token, refreshToken }: User): SessionStore =>
  memoryStore({ accessToken: token, refreshToken });

/** One tab of a user. A reload opens another store with the same storage. */
function newTab(app: () => App, user: User, storage: SessionStore, board: string) {
  const {
    client,
    network,
    outbox,
    name,
    store: first,
  } = connect(app, user, {}, { auth: { storage } });
  let store = first;
  const tab = {
    client,
    network,
    board: store.board(board),
    store: () => store,
    reload() {
      store.close();
      ({ store } = open(client, { outbox, name }));
      tab.board = store.board(board);
      tab.board.open();
    },
  };
  tab.board.open();
  return tab;
}

type Tab = ReturnType<typeof newTab>;

/** As long as a loaded machine may take; a store that has stopped takes longer. */
const settling = { timeout: 300_000, interval: 200 };

/** Waits until a value is as expected. A failed `expect` describes large values for too long. */
async function reaches<Value>(
  read: () => Promise<[value: Value, expected: unknown]>,
  message: string,
): Promise<void> {
  // `waitUntil` ends with the first error. A service that is busy answers again later.
  const isReached = () =>
    read().then(
      (pair) => isDeepStrictEqual(...pair),
      () => false,
    );
  await waitUntil(isReached, settling).catch(() => undefined);
  const [value, expected] = await read();
  expect(value, message).toEqual(expected);
}

/** Expects that all tabs have nothing to send, and then that each shows what the service answers. */
async function expectSettled(tabs: Tab[], message: string): Promise<void> {
  await reaches(
    async () => [tabs.flatMap(({ store }) => [...store().mutations().pending]), []],
    message,
  );
  for (const [at, tab] of tabs.entries()) await expectEqual(tab, `${message}, tab ${at}`);
}

async function expectEqual({ client, board, store }: Tab, message: string): Promise<void> {
  await reaches(async () => {
    const { cursor: _, ...fresh } = await client.board.get({ boardPublicId: board.publicId });
    return [board.get().board, fresh];
  }, message);
  const [id = ""] = cardsOf(board).map((card) => card.publicId);
  if (id === "") return;
  const card = store().card(id);
  const stop = card.subscribe(() => undefined);
  await waitFor(async () => {
    expect(card.get().card, message).toMatchObject(await client.card.get({ cardPublicId: id }));
  }, settling);
  stop();
}

/** How often changes are made between two comparisons. */
const stepsPerRound = 50;

/** Lets three tabs make random changes, offline at times; then all show the same board. */
export async function runStores(app: () => App, seed: number, count: number): Promise<number> {
  const random = randomFrom(seed);
  const { workspace, admin, board } = await makeScene(app());
  const member = await join(app(), workspace, "member");
  // Access tokens live for 15 minutes: a long run renews them.
  const [mine, theirs] = [sessionOf(admin), sessionOf(member)];
  const tabs = [
    newTab(app, admin, mine, board),
    newTab(app, admin, mine, board),
    newTab(app, member, theirs, board),
  ];
  const elsewhere = createClient({
    url: "http://boards.test",
    auth: { storage: mine },
    fetch: (url, init) => app().fetch(new Request(url, init)),
  });
  await Promise.all(tabs.map((tab) => tab.board.ready()));
  let failed = 0;
  for (let nth = 1; nth <= count; nth++) {
    const tab = random.pick(tabs);
    if (tab === undefined) continue;
    // At random a tab loses its connection for a while, or is reloaded.
    if (random.below(15) === 0) tab.network.down();
    else if (random.below(5) === 0) tab.network.up();
    if (random.below(40) === 0) tab.reload();
    if (random.below(12) === 0) {
      // Ids may be gone by now: the service refuses them.
      await random
        .pick(remote)?.(tab.board, random, elsewhere, workspace.publicId)
        .catch(() => undefined);
    } else random.pick(changes)?.(tab.board, random);
    if (random.below(3) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    if (nth % stepsPerRound > 0 && nth < count) continue;
    for (const { network } of tabs) network.up();
    await expectSettled(tabs, `seed ${seed}, after ${nth}`);
    for (const one of tabs) {
      failed += one.store().mutations().failed.length;
      for (const { id } of one.store().mutations().failed) one.store().discard(id);
    }
  }
  return failed;
}
