import { expect } from "vitest";
import type { App } from "../support/app.ts";
import { statementOf } from "../support/statement-of.ts";

const broken = {
  "two live cards on one position": `SELECT "listId" FROM cards WHERE "deletedAt" IS NULL GROUP BY "listId", position HAVING count(*) > 1`,
  "two live lists on one position": `SELECT "boardId" FROM lists WHERE "deletedAt" IS NULL GROUP BY "boardId", position HAVING count(*) > 1`,
  "a card number given out twice": `SELECT number FROM cards GROUP BY "workspaceId", number HAVING count(*) > 1`,
  "a card number that was never given out": `SELECT c.number FROM cards c JOIN workspaces w ON w.id = c."workspaceId" WHERE c.number > w."lastCardNumber"`,
  "a card on another board than its list": `SELECT c.id FROM cards c JOIN lists l ON l.id = c."listId" WHERE l."boardId" <> c."boardId"`,
  "a card in another workspace than its list": `SELECT c.id FROM cards c JOIN lists l ON l.id = c."listId" WHERE l."workspaceId" <> c."workspaceId"`,
  "a label of another board on a card": `SELECT c.id FROM cards c JOIN card_labels cl ON cl."cardId" = c.id JOIN labels l ON l.id = cl."labelId" WHERE l."boardId" <> c."boardId"`,
  "an assigned card with another due date": `SELECT cm."cardId" FROM card_members cm JOIN cards c ON c.id = cm."cardId" WHERE cm."openDueDate" IS DISTINCT FROM open_due_date(c."dueDate", c."archivedAt", c."deletedAt")`,
} as const;

// The copy of a board has one event, which covers its cards.
const one = `cards c JOIN boards b ON b.id = c."boardId" AND b.name NOT LIKE 'Copy of %'`;
const unannounced = {
  "a card that was announced other than once": `SELECT c."publicId" FROM ${one} LEFT JOIN events e ON e."cardPublicId" = c."publicId" AND e.type = 'card.created' GROUP BY c."publicId" HAVING count(e.id) <> 1`,
  "a version that is not the number of the card's events": `SELECT c."publicId", c.version, count(e.id) FROM ${one} JOIN events e ON e."cardPublicId" = c."publicId" GROUP BY c."publicId", c.version HAVING count(e.id) <> c.version`,
} as const;

async function expectNoFaults(
  { db }: Pick<App, "db">,
  faults: Record<string, string>,
): Promise<void> {
  for (const [fault, text] of Object.entries(faults)) {
    expect(await db.read(statementOf(text)), fault).toEqual([]);
  }
}

/** Asserts by SQL what must hold of order, numbers and parents, whatever has happened. */
export const expectSound = (app: Pick<App, "db">): Promise<void> => expectNoFaults(app, broken);

/**
 * Asserts that every card has been announced as often as it was written, where labels and
 * checklists were left alone.
 */
export const expectAnnounced = (app: Pick<App, "db">): Promise<void> =>
  expectNoFaults(app, unannounced);

type List = {
  publicId: string;
  cards: { publicId: string; index: number | null }[];
};

/**
 * Asserts that a board as it was read holds every card once, each list counted densely from 0;
 * answers the cards' ids by list.
 */
export function cardIdsByList(board: { lists: List[] }): Record<string, string[]> {
  const seen = board.lists.flatMap(({ cards }) => cards.map(({ publicId }) => publicId));
  expect(new Set(seen).size, "a card is in two lists").toBe(seen.length);
  for (const { cards } of board.lists) {
    expect(cards.map(({ index }) => index)).toEqual(cards.map((_, position) => position));
  }
  return Object.fromEntries(
    board.lists.map(({ publicId, cards }) => [publicId, cards.map((card) => card.publicId)]),
  );
}
