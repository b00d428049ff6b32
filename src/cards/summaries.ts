import type { z } from "zod";
import type { Query } from "../db/database.ts";
import { iso, isoOrNull } from "../fields.ts";
import type { CardSummary } from "./view.ts";

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

const columns = `c.id, c."publicId", l."publicId" AS "listPublicId", c.number, w."cardPrefix" AS prefix, c.title,
  coalesce(c.description, '') <> '' AS "hasDescription", c."startDate", c."dueDate", c.version, c."createdAt",
  c."updatedAt", c."completedAt", c."archivedAt"`;

/** How a member goes by: the account's name, or the part of the address before the `@`. */
export const memberName = `coalesce(u.name, split_part(m.email, '@', 1))`;

/** What hangs on cards, one row per label and member and one per count; `cards` is a FROM list with a condition. */
const marks = (cards: string) => `
  SELECT c.id AS "cardId", 'label' AS kind, la."publicId", la.name, la."colourCode" AS extra, 0::bigint AS total, 0::bigint AS done
  FROM ${cards.replace("WHERE", `JOIN card_labels cl ON cl."cardId" = c.id JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL WHERE`)}
  UNION ALL SELECT c.id, 'member', m."publicId", ${memberName}, u.image, 0, 0
  FROM ${cards.replace("WHERE", `JOIN card_members cm ON cm."cardId" = c.id JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed' LEFT JOIN users u ON u.id = m."userId" WHERE`)}
  UNION ALL SELECT c.id, 'items', NULL, NULL, NULL, count(*), count(i."completedAt")
  FROM ${cards.replace("WHERE", `JOIN checklists ch ON ch."cardId" = c.id AND ch."deletedAt" IS NULL JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL WHERE`)} GROUP BY c.id
  UNION ALL SELECT c.id, 'comments', NULL, NULL, NULL, count(*), 0
  FROM ${cards.replace("WHERE", `JOIN comments co ON co."cardId" = c.id AND co."deletedAt" IS NULL WHERE`)} GROUP BY c.id
  UNION ALL SELECT c.id, 'attachments', NULL, NULL, NULL, count(*), 0
  FROM ${cards.replace("WHERE", `JOIN attachments a ON a."cardId" = c.id AND a."deletedAt" IS NULL AND a.status = 'stored' WHERE`)} GROUP BY c.id
  ORDER BY "cardId", kind, name, "publicId"`;

/** The cards of a board that are neither deleted nor archived, in their lists' order, with what hangs on them: two queries, whatever their number. */
export async function boardCards(query: Query, boardId: bigint): Promise<Summary[]> {
  const live = `c."boardId" = $1 AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL`;
  const [rows, hanging] = await Promise.all([
    query<Row>(
      `SELECT ${columns} FROM cards c JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL
         JOIN workspaces w ON w.id = c."workspaceId" WHERE ${live} ORDER BY c."listId", c.position`,
      [boardId],
    ),
    query<Mark>(marks(`cards c WHERE ${live}`), [boardId]),
  ]);
  const places = new Map<string, number>();
  const cards = new Map(
    rows.map((row) => {
      const index = places.get(row.listPublicId) ?? 0;
      places.set(row.listPublicId, index + 1);
      return [row.id, summary(row, index)];
    }),
  );
  for (const mark of hanging) hang(cards.get(mark.cardId), mark);
  return [...cards.values()];
}

const summary = (row: Row, index: number | null): Summary => ({
  publicId: row.publicId,
  cardNumber: `${row.prefix}-${row.number}`,
  title: row.title,
  hasDescription: row.hasDescription,
  startDate: isoOrNull(row.startDate),
  dueDate: isoOrNull(row.dueDate),
  isComplete: row.completedAt !== null,
  isArchived: row.archivedAt !== null,
  index,
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
