import { expect, test, vi } from "vitest";
import type { Client } from "../../../src/client/index.ts";
import type { BoardStore, BoardView } from "../../../src/client/store/index.ts";
import { useApp } from "../../support/app.ts";
import { connect, makeScene } from "./scene.ts";

const app = useApp();

/** The titles of the cards of each list. */
const titles = (board: BoardView | undefined) =>
  board?.lists.map(({ cards }) => cards.map(({ title }) => title));

/** What the service answers now. */
async function fresh(client: Client, boardPublicId: string) {
  const { cursor: _, ...board } = await client.board.get({ boardPublicId });
  return board;
}

/** Waits until a board shows what the service answers, without open changes. */
const agrees = (client: Client, board: BoardStore) =>
  vi.waitFor(async () => expect(board.get().board).toEqual(await fresh(client, board.publicId)), {
    timeout: 10_000,
    interval: 50,
  });

test("a move shows at once, in the other store by its event, and equals the server", async () => {
  const { admin, board, second, cards } = await makeScene(app());
  const [one, two] = [connect(app, admin), connect(app, admin)];
  const [mine, yours] = [one.store.board(board), two.store.board(board)];
  mine.open();
  await Promise.all([mine.ready(), yours.subscribe(() => {}) && yours.ready()]);
  const write = mine.cards.move(cards[0] ?? "", { list: second });
  expect(titles(mine.get().board)).toEqual([["B", "C"], ["A"], []]);
  await write.done;
  await vi.waitFor(() => expect(titles(yours.get().board)).toEqual([["B", "C"], ["A"], []]));
  await agrees(one.client, mine);
  expect(one.store.mutations().pending).toEqual([]);
});
