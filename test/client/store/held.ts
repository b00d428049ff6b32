import { expect } from "vitest";
import type { BoardStore, Mutation } from "../../../src/client/store/index.ts";
import { randomFrom, type Random } from "../../property/sync/operations.ts";
import type { App } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { agrees, connect } from "./scene.ts";
import { waitFor } from "../../support/wait.ts";

const listsOf = (board: BoardStore) => board.get().board?.lists ?? [];
const cardsOf = (board: BoardStore) => listsOf(board).flatMap(({ cards }) => cards);

/** Changes of a card and a list that the service accepts after those before, not before them. */
const changes: ((board: BoardStore, card: string, list: string, random: Random) => unknown)[] = [
  ({ cards }, _, list, random) => cards.create({ list, title: random.name(), index: 0 }),
  ({ cards }, card, _, random) => cards.update(card, { title: random.name() }),
  ({ comments }, card, _, random) => comments.create(card, random.name()),
  ({ lists }, _, __, random) => lists.create({ name: random.name() }),
  ({ lists }, _, list) => lists.move(list, { index: 0 }),
  ({ labels }, _, __, random) => labels.create({ name: random.name() }),
  (board, card, _, random) => {
    const label = random.pick(board.get().board?.labels ?? []);
    return board.cards.setLabels(card, label === undefined ? [] : [label.publicId]);
  },
];

/** Moves a card of a board to a list of another: to its end, or beside a card. */
function moveBetween(from: BoardStore, to: BoardStore, random: Random): void {
  const card = random.pick(cardsOf(from));
  const list = random.pick(listsOf(to));
  const anchor = random.pick(list?.cards ?? []);
  if (card === undefined || list === undefined || anchor === card) return;
  const position = anchor === undefined ? {} : { before: anchor.publicId };
  from.cards.move(card.publicId, { list: list.publicId, ...position });
}

function change(boards: BoardStore[], random: Random): void {
  const board = random.pick(boards);
  const other = random.pick(boards);
  if (board === undefined || other === undefined) return;
  if (random.below(3) === 0) return moveBetween(board, other, random);
  const card = random.pick(cardsOf(board));
  const list = random.pick(listsOf(board));
  if (card === undefined || list === undefined) return;
  random.pick(changes)?.(board, card.publicId, list.publicId, random);
}

/** The boards and the card of a change. */
function subjectsOf({ boardPublicId, cardPublicId, input }: Mutation, boards: BoardStore[]) {
  const target = boards.find((board) =>
    listsOf(board).some(({ publicId }) => publicId === input["listPublicId"]),
  );
  return [boardPublicId, cardPublicId, target?.publicId].filter((id) => id !== undefined);
}

/** The changes that share no board and no card with the failing board, nor with one that does. */
function othersOf(made: readonly Mutation[], failing: string, boards: BoardStore[]) {
  const waiting = new Set([failing]);
  return made.filter((one) => {
    const subjects = subjectsOf(one, boards);
    const isFree = subjects.every((id) => !waiting.has(id));
    if (!isFree) for (const id of subjects) waiting.add(id);
    return isFree;
  });
}

/** Expects that random changes wait only for those of a failing board and of its cards. */
export async function expectHeldChanges(app: () => App, seed: number): Promise<void> {
  const random = randomFrom(seed);
  const workspace = await makeWorkspace(app());
  const { store, client, network } = connect(app, workspace.admin);
  const boards: BoardStore[] = [];
  for (let nth = 0; nth < 4; nth++) {
    const { publicId, lists } = await makeBoard(workspace, { labels: 2 });
    for (const list of lists) await makeCard(workspace.admin, list);
    boards.push(store.board(publicId));
    await store.board(publicId).ready();
    store.board(publicId).open();
  }
  let failing = boards[0]?.publicId ?? "";
  const accepted: string[] = [];
  const failedOnce = new Set<string>();
  network.intercept = async (request) => {
    const id = request.headers.get("Idempotency-Key") ?? "";
    const made = store.mutations().pending.find((one) => one.id === id);
    if (made === undefined) return undefined;
    if (made.boardPublicId === failing) return new Response(null, { status: 503 });
    if (random.below(5) === 0 && !failedOnce.has(id)) {
      failedOnce.add(id);
      return new Response(null, { status: 500 });
    }
    accepted.push(id);
    return undefined;
  };
  for (let nth = 0; nth < 40; nth++) change(boards, random);
  const made = store.mutations().pending;
  const others = othersOf(made, failing, boards).map(({ id }) => id);
  expect(others).not.toEqual([]);
  await waitFor(() => expect(accepted).toEqual(expect.arrayContaining(others)));

  failing = "";
  for (const board of boards) await agrees({ client, store }, board);
  expect(store.mutations().failed).toEqual([]);
  const orderOf = ({ id }: Mutation) => accepted.indexOf(id);
  for (const [nth, later] of made.entries()) {
    const { boardPublicId, cardPublicId = "" } = later;
    const earlier = made
      .slice(0, nth)
      .filter((one) => one.boardPublicId === boardPublicId || one.cardPublicId === cardPublicId);
    for (const one of earlier) expect(orderOf(one)).toBeLessThan(orderOf(later));
  }
}
