import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../support/make.ts";
import { turn, useCost } from "../support/statements.ts";
import { fill } from "./rows.ts";

// Rows that are inserted directly publish no event, so no board may come from memory.
const app = useApp({ isolated: true, constants: { CACHE_MB: 0 } });

const cost = useCost();

test("an operation takes as many statements with 1,000 cards on the board as with 10", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const { publicId, lists } = await makeBoard(workspace, { lists: ["One", "Two"] });
  const [one = "", two = ""] = lists;
  const card = await makeCard(workspace.admin, one);
  const costs = async () => ({
    "board.get": await cost(() => rest.get(`/boards/${publicId}`)),
    "card.get": await cost(() => rest.get(`/cards/${card}`)),
    "card.create": await cost(() =>
      rest.post("/cards", { title: "At the end", listPublicId: one }),
    ),
    "card.create at an index": await cost(() =>
      rest.post("/cards", { title: "In front", listPublicId: one, index: 3 }),
    ),
    "card.update of a field": await cost(() =>
      // Each time a word goes and another one comes, which has two statements.
      rest.put(`/cards/${card}`, { title: `word${Math.random()}`.replace("0.", "") }),
    ),
    "card.update within a list": await cost(() => rest.put(`/cards/${card}`, { index: 4 })),
    "card.update to another list": await cost(() =>
      rest.put(`/cards/${card}`, { listPublicId: two, index: 1 }),
    ),
    "card.update back": await cost(() =>
      rest.put(`/cards/${card}`, { listPublicId: one, index: 0 }),
    ),
    "list.get": await cost(() => rest.get(`/lists/${one}`)),
    "list.create": await cost(() =>
      rest.post("/lists", { name: "Another", boardPublicId: publicId }),
    ),
  });
  await fill(app(), one, 4);
  await fill(app(), two, 5);
  const few = await costs();
  await fill(app(), one, 500);
  await fill(app(), two, 490);
  expect(await costs()).toEqual({ ...few, "board.get": few["board.get"] + turn });
  // BEGIN and COMMIT included: each is a round trip in every request. Two of them complete the card
  // in its events.
  expect(Math.max(...Object.values(few))).toBeLessThanOrEqual(12);
});
