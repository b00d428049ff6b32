import type { z } from "zod";
import { isWanted, type Wanted } from "./filters.ts";
import type { Query } from "../../platform/db/query.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/fields.ts";
import type { CardSummary } from "../../contract/resources/cards.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

type Summary = z.infer<typeof CardSummary>;
type Row = {
  id: bigint;
  publicId: string;
  listPublicId: string;
  number: number;
  prefix: string;
  title: string;
  hasDescription: boolean;
  startDate: Date | null;
  dueDate: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  completedAt: Date | null;
  archivedAt: Date | null;
  index: bigint | null;
};
type Mark = {
  cardId: bigint;
  kind: "label" | "member" | "items" | "comments" | "attachments";
  publicId: string | null;
  name: string | null;
  extra: string | null;
  total: bigint;
  done: bigint;
};

const columns = sql`c.id, c."publicId", l."publicId" AS "listPublicId", c.number,
  w."cardPrefix" AS prefix, c.title, coalesce(c.description, '') <> '' AS "hasDescription",
  c."startDate", c."dueDate", c.version, c."createdAt", c."updatedAt", c."completedAt",
  c."archivedAt"`;

/** The name of a member: the account's, or the part of the address before the `@`. */
export const memberName = sql`coalesce(u.name, split_part(m.email, '@', 1))`;

/** The relations of cards: a row per label and member, a row per count; `cards` is a condition on `c`. */
const marks = (cards: Sql) => sql`
  SELECT c.id AS "cardId", 'label' AS kind, la."publicId", la.name, la."colourCode" AS extra,
    0::bigint AS total, 0::bigint AS done
  FROM cards c JOIN card_labels cl ON cl."cardId" = c.id
    JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL WHERE ${cards}
  UNION ALL SELECT c.id, 'member', m."publicId", ${memberName}, u.image, 0, 0
  FROM cards c JOIN card_members cm ON cm."cardId" = c.id
    JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
    LEFT JOIN users u ON u.id = m."userId" WHERE ${cards}
  UNION ALL SELECT c.id, 'items', NULL, NULL, NULL, count(*), count(i."completedAt")
  FROM cards c JOIN checklists ch ON ch."cardId" = c.id AND ch."deletedAt" IS NULL
    JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL
    WHERE ${cards} GROUP BY c.id
  UNION ALL SELECT c.id, 'comments', NULL, NULL, NULL, count(*), 0
  FROM cards c JOIN comments co ON co."cardId" = c.id AND co."deletedAt" IS NULL
    WHERE ${cards} GROUP BY c.id
  UNION ALL SELECT c.id, 'attachments', NULL, NULL, NULL, count(*), 0
  FROM cards c JOIN attachments a ON a."cardId" = c.id AND a."deletedAt" IS NULL
    AND a.status = 'stored' WHERE ${cards} GROUP BY c.id
  ORDER BY "cardId", kind, name, "publicId"`;
const marksOfCards = (ids: bigint[]) => marks(sql`c.id = ANY(${ids}::bigint[])`);
const marksOfBoard = (boardId: bigint) =>
  marks(sql`c."boardId" = ${boardId} AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL`);

// The index counts unarchived cards, whatever the filter leaves out.
const index = sql`CASE WHEN c."archivedAt" IS NULL
  THEN count(*) FILTER (WHERE c."archivedAt" IS NULL)
    OVER (PARTITION BY c."listId" ORDER BY c.position) - 1 END AS index`;
const ofBoard = (boardId: bigint, wanted: Wanted, limit: number | null) => sql`
  SELECT * FROM (
    SELECT ${columns}, c.index, c."listId", c.position,
      row_number() OVER (PARTITION BY c."listId" ORDER BY c.position) AS nth,
      count(*) OVER (PARTITION BY c."listId") AS total
    FROM (SELECT c.*, ${index} FROM cards c
      WHERE c."boardId" = ${boardId} AND c."deletedAt" IS NULL) c
    JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
    WHERE ${isWanted(boardId, wanted)}) found
  WHERE ${limit}::bigint IS NULL OR nth <= ${limit} ORDER BY "listId", position`;
const ofCards = (ids: bigint[]) =>
  sql`SELECT ${columns}, places.index FROM cards c
  JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
  LEFT JOIN (SELECT c.id, ${index} FROM cards c WHERE c."deletedAt" IS NULL
    AND c."listId" IN (SELECT "listId" FROM cards
    WHERE id = ANY(${ids}::bigint[]))) places ON places.id = c.id
  WHERE c.id = ANY(${ids}::bigint[])`;

/** The cards of a board that are wanted, in their lists' order, with what hangs on them, and how many there are in each list: two queries, whatever their number. */
export async function boardCards(query: Query, boardId: bigint, wanted: Wanted = {}) {
  const { members, labels, lists, due, archived, cardLimit } = wanted;
  const every = !(members ?? labels ?? lists ?? due ?? cardLimit) && archived !== true;
  const reading = query<Row & { total: bigint }>(ofBoard(boardId, wanted, cardLimit ?? null));
  const [rows, hanging] = await Promise.all([
    reading,
    every
      ? query<Mark>(marksOfBoard(boardId))
      : reading.then((some) => query<Mark>(marksOfCards(some.map(({ id }) => id)))),
  ]);
  const counts = new Map(rows.map(({ listPublicId, total }) => [listPublicId, Number(total)]));
  return { cards: put(rows, hanging), counts };
}

/** Cards by their ids, in that order, with what hangs on them: two queries, whatever their number. */
export async function summariesOf(query: Query, ids: bigint[]): Promise<Summary[]> {
  if (ids.length === 0) return [];
  const [rows, hanging] = await Promise.all([
    query<Row>(ofCards(ids)),
    query<Mark>(marksOfCards(ids)),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return put(
    ids.flatMap((id) => byId.get(id) ?? []),
    hanging,
  );
}

function put(rows: Row[], hanging: Mark[]): Summary[] {
  const cards = new Map(rows.map((row) => [row.id, summary(row)]));
  for (const mark of hanging) hang(cards.get(mark.cardId), mark);
  return [...cards.values()];
}

const summary = (row: Row): Summary => ({
  publicId: row.publicId,
  cardNumber: `${row.prefix}-${row.number}`,
  title: row.title,
  hasDescription: row.hasDescription,
  startDate: isoOrNull(row.startDate),
  dueDate: isoOrNull(row.dueDate),
  isComplete: row.completedAt !== null,
  isArchived: row.archivedAt !== null,
  index: row.index === null ? null : Number(row.index),
  listPublicId: row.listPublicId,
  labels: [],
  members: [],
  checklistItems: { total: 0, completed: 0 },
  commentCount: 0,
  attachmentCount: 0,
  version: row.version,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});

function hang(card: Summary | undefined, { kind, publicId, name, extra, total, done }: Mark) {
  if (card === undefined) return;
  if (kind === "items") card.checklistItems = { total: Number(total), completed: Number(done) };
  else if (kind === "comments") card.commentCount = Number(total);
  else if (kind === "attachments") card.attachmentCount = Number(total);
  else if (publicId !== null && name !== null) {
    if (kind === "label") card.labels.push({ publicId, name, colourCode: extra });
    else card.members.push({ publicId, name, image: extra });
  }
}
