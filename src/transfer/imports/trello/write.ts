import { nameOf } from "../clean.ts";
import type { SourceCard } from "../model.ts";
import { matcher } from "../people.ts";
import type { ImportRun } from "../context.ts";
import { writeBoard } from "../write/board.ts";
import { atOnce, writeInLists, type Prepare } from "../write/in-lists.ts";
import { leaveOut } from "../write/imported-card.ts";
import { mapBoard } from "./map-board.ts";
import { mapCard } from "./map-card.ts";
import type { Around } from "./people.ts";
import type { CardEntry, Reading } from "./reading.ts";
import { TrelloCard, TrelloChecklist, TrelloComment } from "./shapes.ts";

/** Writes a board of Trello's that has been read: its cards list by list, each in its order, each whole. */
export async function writeReading(
  run: ImportRun,
  reading: Reading,
  prepare: Prepare,
): Promise<void> {
  const source = mapBoard(reading, (loss) => run.pending.lose(loss));
  const target = await writeBoard(run, source);
  const { match } = await matcher(run.deps.db.read, run.row.workspaceId);
  const around: Around = {
    reading,
    match: ({ email, username, fullName }) =>
      match({ email: nameOf(email), username: nameOf(username), name: nameOf(fullName) }),
  };
  const { lists, orphans } = sort(
    reading,
    source.lists.map(({ sourceId }) => sourceId),
  );
  const read = (entries: CardEntry[]) => readCards(entries, around);
  await writeInLists(run, target, { lists, read, prepare });
  for (let at = 0; at < orphans.length; at += atOnce) {
    for (const card of await read(orphans.slice(at, at + atOnce))) {
      leaveOut({ made: run.pending }, card, "Its list is not in the source.");
    }
    await run.flush();
  }
}

/** The cards of each list, both in their order, and those of none. */
function sort({ cards }: Reading, lists: string[]) {
  const byList = new Map(lists.map((id): [string, CardEntry[]] => [id, []]));
  const orphans: CardEntry[] = [];
  for (const card of cards.values()) (byList.get(card.idList ?? "") ?? orphans).push(card);
  const inOrder = (entries: CardEntry[]) => entries.toSorted((one, other) => one.pos - other.pos);
  return { lists: [...byList.values()].map(inOrder), orphans };
}

/** Reads cards back with what belongs to them, in our terms. */
async function readCards(entries: CardEntry[], around: Around): Promise<SourceCard[]> {
  const { staging, checklistsOf, commentsOf } = around.reading;
  const [cards, checklists, comments] = await Promise.all([
    staging.read(entries.map(({ at }) => at)),
    Promise.all(entries.map(({ id }) => staging.read(checklistsOf.get(id) ?? []))),
    Promise.all(entries.map(({ id }) => staging.read(commentsOf.get(id) ?? []))),
  ]);
  return cards.map((card, place) =>
    mapCard(
      {
        card: TrelloCard.parse(card),
        checklists: (checklists[place] ?? []).map((one) => TrelloChecklist.parse(one)),
        comments: (comments[place] ?? []).map((one) => TrelloComment.parse(one)),
      },
      around,
    ),
  );
}
