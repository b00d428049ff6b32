import { generateNKeysBetween } from "fractional-indexing";
import { viewCard } from "../../cards/view.ts";
import { insertJoins, insertRows } from "../bulk/rows.ts";
import { notHere } from "./boards.ts";
import { findIn, moment, rowOf, step, type Bringing, type Making } from "./home.ts";
import { mentioning } from "./ids.ts";
import { bringParts, type On } from "./parts.ts";
import type { Portion } from "./plan.ts";

type ListRow = {
  id: bigint;
  publicId: string;
  name: string;
  boardId: bigint;
  boardPublicId: string;
  boardName: string;
};

const findLists = `SELECT l.id, l."publicId", l.name, b.id AS "boardId", b."publicId" AS "boardPublicId", b.name AS "boardName"
  FROM lists l JOIN boards b ON b.id = l."boardId" AND b."deletedAt" IS NULL
  WHERE l."publicId" = ANY($1::text[]) AND l."workspaceId" = $2 AND l."deletedAt" IS NULL ORDER BY l.id FOR NO KEY UPDATE OF l`;

/** Makes cards with all that hangs on them, in one step; those that an earlier run made are left as they are. */
export const bringCards = (bringing: Bringing, portions: Portion[]): Promise<void> =>
  step(bringing, async (making) => {
    const { work, made, ids, home } = making;
    const rows = await work.query<ListRow>(findLists, [
      [...new Set(portions.map(({ listPublicId }) => ids(listPublicId)))],
      home.id,
    ]);
    const lists = new Map(rows.map((row) => [row.publicId, row]));
    const there = await findIn(
      work.query,
      "cards",
      home,
      portions.map(({ publicId }) => ids(publicId)),
    );
    const on: On[] = [];
    const fresh: { portion: Portion; list: ListRow }[] = [];
    for (const portion of portions) {
      const list = lists.get(ids(portion.listPublicId));
      const id = there.get(ids(portion.publicId));
      if (!portion.isMore) tell(making, portion, id !== undefined || list !== undefined);
      if (list !== undefined && id === undefined && !portion.isMore) fresh.push({ portion, list });
      else if (list !== undefined && id !== undefined && portion.isMore)
        on.push({ id, portion, boardPublicId: list.boardPublicId });
      if (list === undefined && id === undefined && !portion.isMore) {
        const { publicId: sourceId, title: name } = portion;
        made.lose({ kind: "card", sourceId, name, reason: "Its list has been deleted since." });
      }
    }
    await bringParts(making, [...(await insert(making, fresh)), ...on]);
  });

/** Counts what hangs on a card: it comes over with the card, or does not. */
function tell({ made }: Making, { checklists, comments, activity }: Portion, comes: boolean) {
  const outcome = comes ? "created" : "leftOut";
  if (comes) made.add("card", outcome);
  made.add("checklist", outcome, checklists.length);
  made.add(
    "checklistItem",
    outcome,
    checklists.reduce((sum, { items }) => sum + items.length, 0),
  );
  made.add("comment", outcome, comments.length);
  made.add("activity", outcome, activity.length);
}

async function insert(making: Making, fresh: { portion: Portion; list: ListRow }[]): Promise<On[]> {
  const { work, home, ids, members } = making;
  const positions = await placesAtEnd(
    making,
    fresh.map(({ list }) => list.id),
  );
  const isMember = (id: string) => members.has(id);
  const rows = await insertRows(
    work.query,
    "cards",
    fresh.map(({ portion, list }, place) => ({
      ...rowOf(making, portion),
      boardId: list.boardId,
      listId: list.id,
      number: portion.number,
      title: portion.title,
      description:
        portion.description === null ? null : mentioning(portion.description, isMember, ids),
      position: positions[place] ?? "",
      startDate: moment(portion.startDate),
      dueDate: moment(portion.dueDate),
      completedAt: moment(portion.completedAt),
      archivedAt: moment(portion.archivedAt),
    })),
  );
  const cards = fresh.flatMap(({ portion, list }, place) => {
    const row = rows[place];
    return row === undefined ? [] : [{ portion, list, row }];
  });
  await mark(making, cards);
  for (const { list, row } of cards) {
    const { boardPublicId, boardName, publicId, name } = list;
    const board = { publicId: boardPublicId, name: boardName };
    const data = { card: viewCard(row, home.cardPrefix), list: { publicId, name }, board };
    // Its history comes along, and says when it was made.
    work.emit("card.created", data, undefined, false);
  }
  return cards.map(({ portion, list, row }) => ({
    id: row.id,
    portion,
    boardPublicId: list.boardPublicId,
  }));
}

const ends = `SELECT l.id, (SELECT max(c.position) FROM cards c WHERE c."listId" = l.id AND c."deletedAt" IS NULL) AS last
  FROM unnest($1::bigint[]) AS l(id)`;

/** Keys behind what stands on the lists by now, for one card after the other. */
async function placesAtEnd({ work }: Making, listIds: bigint[]): Promise<string[]> {
  const wanted = new Map<bigint, number>();
  for (const id of listIds) wanted.set(id, (wanted.get(id) ?? 0) + 1);
  const rows = await work.query<{ id: bigint; last: string | null }>(ends, [[...wanted.keys()]]);
  const last = new Map(rows.map((row) => [row.id, row.last]));
  const keys = new Map(
    [...wanted].map(([id, count]) => [
      id,
      generateNKeysBetween(last.get(id) ?? null, null, count).values(),
    ]),
  );
  return listIds.map((id) => keys.get(id)?.next().value ?? "");
}

type Made = { portion: Portion; row: { id: bigint } };

/** Puts labels and members on new cards, and gives them the numbers that they had. */
async function mark({ work, made, ids, home }: Making, cards: Made[]): Promise<void> {
  const all = (key: "labelPublicIds" | "memberPublicIds") => [
    ...new Set(cards.flatMap(({ portion }) => portion[key])),
  ];
  const labels = await findIn(work.query, "labels", home, all("labelPublicIds").map(ids));
  const members = await findIn(work.query, "members", home, all("memberPublicIds").map(ids));
  const joined = { workspaceId: home.id, createdAt: work.now };
  await insertJoins(
    work.query,
    "card_labels",
    cards.flatMap(({ portion, row }) =>
      portion.labelPublicIds.flatMap((old) => {
        const labelId = labels.get(ids(old));
        return labelId === undefined ? [] : [{ cardId: row.id, labelId, ...joined }];
      }),
    ),
  );
  await insertJoins(
    work.query,
    "card_members",
    cards.flatMap(({ portion, row }) =>
      portion.memberPublicIds.flatMap((old) => {
        const memberId = members.get(ids(old));
        if (memberId !== undefined) return [{ cardId: row.id, memberId, ...joined }];
        made.lose({ kind: "cardMember", sourceId: old, name: portion.title, reason: notHere });
        return [];
      }),
    ),
  );
  const aliases = cards.flatMap(({ portion, row }) =>
    portion.aliases.map((number) => ({ number, cardId: String(row.id) })),
  );
  if (aliases.length === 0) return;
  await work.query(
    `INSERT INTO card_aliases ("workspaceId", number, "cardId")
     SELECT $2::bigint, a.number, a."cardId" FROM json_to_recordset($1::json) AS a(number int, "cardId" bigint)`,
    [JSON.stringify(aliases), home.id],
  );
}
