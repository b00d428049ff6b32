import { beforeAll, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace, type Board, type Workspace } from "../../support/make.ts";
import { fill } from "../../transfer/exports/many.ts";
import { spread } from "../workspaces/spread-cards.ts";

const app = useApp({ isolated: true });
/** Every second card has the last label, every 50th the first: few cards are sorted, many not. */
const count = 2_100;
let workspace: Workspace;
let board: Board;

beforeAll(async () => {
  workspace = await makeWorkspace(app());
  board = await makeBoard(workspace, { lists: ["One", "Two", "Three"], labels: 2 });
  for (const list of board.lists) await fill(app(), list, { cards: count / 3 });
  await spread(app(), board.publicId, workspace.admin.publicId);
});

type Card = {
  publicId: string;
  dueDate: string | null;
  listPublicId: string;
  labels: { publicId: string }[];
};

async function allCards(query: string): Promise<Card[]> {
  const cards: Card[] = [];
  for (let cursor = ""; ;) {
    const path = `/boards/${board.publicId}/cards?limit=100&${query}${cursor}`;
    const { status, body } = await workspace.admin.rest.get(path);
    expect([path, status]).toEqual([path, 200]);
    cards.push(...body.items);
    if (body.nextCursor === null) return cards;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}

const idsOf = (cards: Card[]) => cards.map(({ publicId }) => publicId);
const hasLabel = (label: string | undefined) => (card: Card) =>
  card.labels.some(({ publicId }) => publicId === label);

test.each(["position", "dueDate", "createdAt", "updatedAt"])(
  "the pages of a filter are those of the whole board without other cards, by %s",
  async (sort) => {
    const whole = await allCards(`sort=${sort}`);
    expect(whole).toHaveLength(count * 0.9);
    const [rare, common] = board.labels;
    const filters: [string, (card: Card) => boolean][] = [
      [`labels=${common}`, hasLabel(common)],
      [`labels=${rare}`, hasLabel(rare)],
      [`lists=${board.lists[1]}`, ({ listPublicId }) => listPublicId === board.lists[1]],
      [`labels=${common}&due=none`, () => false],
      ["due=none", ({ dueDate }) => dueDate === null],
    ];
    for (const [query, passes] of filters) {
      const found = idsOf(await allCards(`sort=${sort}&${query}`));
      expect([query, found]).toEqual([query, idsOf(whole.filter(passes))]);
    }
  },
);
