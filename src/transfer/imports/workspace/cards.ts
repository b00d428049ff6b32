import { generateNKeysBetween } from "fractional-indexing";
import { viewCard } from "../../../domain/views/cards.ts";
import type { Items } from "../../exports/format.ts";
import { insertJoins, insertRows } from "../bulk/rows.ts";
import { filesFor } from "./files.ts";
import { findIn, moment, rowOf, step, type Bringing, type Making } from "./target.ts";
import { mentioning } from "./ids.ts";
import { bringParts, type On } from "./parts.ts";
import { tell } from "./report.ts";
import { sql } from "../../../platform/db/sql.ts";

type ListRow = {
  id: bigint;
  publicId: string;
  name: string;
  boardId: bigint;
  boardPublicId: string;
  boardName: string;
};
type Fresh = { card: Card; list: ListRow };

const findLists = (value1: string[], id: bigint) =>
  sql`SELECT l.id, l."publicId", l.name, b.id AS "boardId", b."publicId" AS "boardPublicId", b.name AS "boardName"
  FROM lists l JOIN boards b ON b.id = l."boardId" AND b."deletedAt" IS NULL
  WHERE l."publicId" = ANY(${value1}::text[]) AND l."workspaceId" = ${id} AND l."deletedAt" IS NULL ORDER BY l.id FOR NO KEY UPDATE OF l`;

type Card = Items["cards"];

/** Makes cards with all that hangs on them, in one step; those that an earlier run made are left as they are. */
export async function bringCards(bringing: Bringing, cards: Card[]): Promise<void> {
  const files = await filesFor(bringing, cards);
  await step(bringing, async (making) => {
    const { tx, ids, home } = making;
    const rows = await tx.query<ListRow>(
      findLists([...new Set(cards.map(({ listPublicId }) => ids(listPublicId)))], home.id),
    );
    const lists = new Map(rows.map((row) => [row.publicId, row]));
    const asked = cards.map(({ publicId }) => ids(publicId));
    const there = await findIn(tx.query, "cards", home, asked);
    const members = await membersOf(making, cards);
    const fresh: Fresh[] = [];
    for (const card of cards) {
      const list = lists.get(ids(card.listPublicId));
      const isThere = there.has(ids(card.publicId));
      tell(making, card, isThere || list !== undefined, members);
      if (list !== undefined && !isThere) fresh.push({ card, list });
    }
    await bringParts(making, await insert(making, fresh, members), files);
  });
}

/** The members who are on cards or have an item of theirs, as far as they are here. */
const membersOf = ({ tx, ids, home }: Making, cards: Card[]): Promise<Map<string, bigint>> => {
  const all = cards.flatMap(({ memberPublicIds, checklists }) => [
    ...memberPublicIds,
    ...checklists.flatMap(({ items }) => items.flatMap((item) => item.memberPublicId ?? [])),
  ]);
  return findIn(tx.query, "members", home, [...new Set(all)].map(ids));
};

async function insert(making: Making, fresh: Fresh[], members: Map<string, bigint>): Promise<On[]> {
  const { tx, home, ids } = making;
  const positions = await placesAtEnd(
    making,
    fresh.map(({ list }) => list.id),
  );
  const isMember = (id: string) => making.members.has(id);
  const rows = await insertRows(
    tx.query,
    "cards",
    fresh.map(({ card, list }, place) => ({
      ...rowOf(making, card),
      boardId: list.boardId,
      listId: list.id,
      number: card.number,
      title: card.title,
      description: card.description === null ? null : mentioning(card.description, isMember, ids),
      position: positions[place] ?? "",
      startDate: moment(card.startDate),
      dueDate: moment(card.dueDate),
      completedAt: moment(card.completedAt),
      archivedAt: moment(card.archivedAt),
    })),
  );
  const made = fresh.flatMap(({ card, list }, place) => {
    const row = rows[place];
    return row === undefined ? [] : [{ card, list, row }];
  });
  await mark(making, made, members);
  for (const { list, row } of made) {
    const { boardPublicId, boardName, publicId, name } = list;
    const board = { publicId: boardPublicId, name: boardName };
    const data = { card: viewCard(row, home.cardPrefix), list: { publicId, name }, board };
    // Its history comes along, and says when it was made.
    tx.emit("card.created", data, undefined, false);
  }
  return made.map(({ card, list, row }) => ({
    id: row.id,
    card,
    boardPublicId: list.boardPublicId,
  }));
}

const ends = (value1: bigint[]) =>
  sql`SELECT l.id, (SELECT max(c.position) FROM cards c WHERE c."listId" = l.id AND c."deletedAt" IS NULL) AS last
  FROM unnest(${value1}::bigint[]) AS l(id)`;

/** Keys behind what stands on the lists by now, for one card after the other. */
async function placesAtEnd({ tx }: Making, listIds: bigint[]): Promise<string[]> {
  const wanted = new Map<bigint, number>();
  for (const id of listIds) wanted.set(id, (wanted.get(id) ?? 0) + 1);
  const rows = await tx.query<{ id: bigint; last: string | null }>(ends([...wanted.keys()]));
  const last = new Map(rows.map((row) => [row.id, row.last]));
  const keys = new Map(
    [...wanted].map(([id, count]) => [
      id,
      generateNKeysBetween(last.get(id) ?? null, null, count).values(),
    ]),
  );
  return listIds.map((id) => keys.get(id)?.next().value ?? "");
}

type Made = { card: Card; row: { id: bigint } };

/** Puts labels and members on new cards, and gives them the numbers that they had. */
async function mark(
  { tx, ids, home }: Making,
  cards: Made[],
  members: Map<string, bigint>,
): Promise<void> {
  const marked = [...new Set(cards.flatMap(({ card }) => card.labelPublicIds))];
  const labels = await findIn(tx.query, "labels", home, marked.map(ids));
  const joined = { workspaceId: home.id, createdAt: tx.now };
  await insertJoins(
    tx.query,
    "card_labels",
    cards.flatMap(({ card, row }) =>
      card.labelPublicIds.flatMap((old) => {
        const labelId = labels.get(ids(old));
        return labelId === undefined ? [] : [{ cardId: row.id, labelId, ...joined }];
      }),
    ),
  );
  await insertJoins(
    tx.query,
    "card_members",
    cards.flatMap(({ card, row }) =>
      card.memberPublicIds.flatMap((old) => {
        const memberId = members.get(ids(old));
        return memberId === undefined ? [] : [{ cardId: row.id, memberId, ...joined }];
      }),
    ),
  );
  const aliases = cards.flatMap(({ card, row }) =>
    card.aliases.map((number) => ({ number, cardId: String(row.id) })),
  );
  if (aliases.length === 0) return;
  await tx.query(
    sql`INSERT INTO card_aliases ("workspaceId", number, "cardId")
     SELECT ${home.id}::bigint, a.number, a."cardId" FROM json_to_recordset(${JSON.stringify(aliases)}::json) AS a(number int, "cardId" bigint)`,
  );
}
