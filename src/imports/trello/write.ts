import type { SourceCard } from "../model.ts";
import { matcher } from "../people.ts";
import type { ImportRun } from "../session.ts";
import { writeBoard } from "../write/board.ts";
import { heaviest, piecesOf, weightOf, writeCards } from "../write/cards.ts";
import type { Target } from "../write/making.ts";
import { leaveOut } from "../write/onto.ts";
import { mapBoard } from "./map-board.ts";
import { mapCard, type Around, type Raw } from "./map-card.ts";
import { nameOf } from "../clean.ts";
import type { CardEntry, Reading } from "./reading.ts";
import { TrelloCard, TrelloChecklist, TrelloComment } from "./shapes.ts";

/** How many cards are read back at once. */
const atOnce = 200;

/** Does something with cards before they are written: fetches their files. */
export type Prepare = (cards: SourceCard[]) => Promise<void>;

/** Writes a board of Trello's that has been read: its cards list by list, each in its order, each whole. */
export async function writeReading(
  run: ImportRun,
  reading: Reading,
  prepare: Prepare,
): Promise<void> {
  const source = mapBoard(reading, (loss) => run.pending.lose(loss));
  run.progress("board", 0, reading.cards.size);
  const target = await writeBoard(run, source);
  const { match } = await matcher(run.deps.db.read, run.row.workspaceId);
  const around: Around = {
    reading,
    match: ({ email, username, fullName }) =>
      match({ email: nameOf(email), username: nameOf(username), name: nameOf(fullName) }),
  };
  const known = await knownCards(run, target);
  let done = 0;
  for (const entries of inLists(
    reading,
    source.lists.map(({ sourceId }) => sourceId),
  )) {
    done = await writeList(run, target, { entries, around, known, prepare, done });
  }
  const orphans = [...reading.cards.values()].filter(
    ({ idList }) => !listIds(reading).has(idList ?? ""),
  );
  await loseOrphans(run, orphans, around);
}

type Writing = {
  entries: CardEntry[];
  around: Around;
  known: ReadonlySet<string>;
  prepare: Prepare;
  done: number;
};

/** Writes the cards of one list, as many at a time as one transaction bears. */
async function writeList(
  run: ImportRun,
  target: Target,
  { entries, around, known, prepare, done }: Writing,
) {
  const flush = async (cards: SourceCard[], from: number) => {
    if (cards.length === 0) return;
    await prepare(cards);
    const to = from + cards.length;
    const before = entries[from - 1]?.id ?? null;
    const after = entries.slice(to).find(({ id }) => known.has(id))?.id ?? null;
    const [only] = cards;
    if (cards.length === 1 && only !== undefined) {
      for (const piece of piecesOf(only))
        await writeCards(run, target, [{ cards: [piece], before, after }]);
    } else await writeCards(run, target, [{ cards, before, after }]);
    run.progress("cards", done + to, around.reading.cards.size);
  };
  let [waiting, weight, from]: [SourceCard[], number, number] = [[], 0, 0];
  for (let at = 0; at < entries.length; at += atOnce) {
    for (const raw of await rawCards(around.reading, entries.slice(at, at + atOnce))) {
      const card = mapCard(raw, around);
      if (waiting.length > 0 && weight + weightOf(card) > heaviest) {
        await flush(waiting, from);
        from += waiting.length;
        [waiting, weight] = [[], 0];
      }
      waiting.push(card);
      weight += weightOf(card);
    }
  }
  await flush(waiting, from);
  return done + entries.length;
}

const listIds = (reading: Reading) => new Set(reading.lists.map(({ id }) => id));

/** The cards of each list, both in their order. */
function inLists({ cards }: Reading, lists: string[]): CardEntry[][] {
  const byList = new Map(lists.map((id): [string, CardEntry[]] => [id, []]));
  for (const card of cards.values()) byList.get(card.idList ?? "")?.push(card);
  return [...byList.values()].map((entries) =>
    entries.toSorted((one, other) => one.pos - other.pos),
  );
}

/** Reads cards back with what belongs to them. */
async function rawCards(reading: Reading, entries: CardEntry[]): Promise<Raw[]> {
  const { staging, checklistsOf, commentsOf } = reading;
  const [cards, checklists, comments] = await Promise.all([
    staging.read(entries.map(({ at }) => at)),
    Promise.all(entries.map(({ id }) => staging.read(checklistsOf.get(id) ?? []))),
    Promise.all(entries.map(({ id }) => staging.read(commentsOf.get(id) ?? []))),
  ]);
  return cards.map((card, place) => ({
    card: TrelloCard.parse(card),
    checklists: (checklists[place] ?? []).map((one) => TrelloChecklist.parse(one)),
    comments: (comments[place] ?? []).map((one) => TrelloComment.parse(one)),
  }));
}

/** The cards that have come over before, by their ids at Trello. */
async function knownCards(
  { deps, row }: ImportRun,
  { board }: Target,
): Promise<ReadonlySet<string>> {
  const rows = await deps.db.read<{ sourceId: string }>(
    `SELECT "sourceId" FROM imported_things WHERE "boardId" = $1 AND source = $2 AND kind = 'card'`,
    [board.id, row.family],
  );
  return new Set(rows.map(({ sourceId }) => sourceId));
}

async function loseOrphans(run: ImportRun, orphans: CardEntry[], around: Around) {
  for (let at = 0; at < orphans.length; at += atOnce) {
    for (const raw of await rawCards(around.reading, orphans.slice(at, at + atOnce))) {
      const card = mapCard(raw, around);
      leaveOut({ made: run.pending }, card, "Its list is not in the source.");
    }
    await run.flush();
  }
}
