import type { z } from "zod";
import type { Query } from "../../platform/db/query.ts";
import { assemble, type Relation, type Row } from "./assemble.ts";
import type { CardSummary } from "../../contract/resources/cards.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

type Summary = z.infer<typeof CardSummary>;
/** SQL: the columns of `Row`, without the index. */
export const summaryColumns = sql`c.id, c."publicId", l."publicId" AS "listPublicId", c.number,
  w."cardPrefix" AS prefix, c.title, coalesce(c.description, '') <> '' AS "hasDescription",
  c."startDate", c."dueDate", c.version, c."createdAt", c."updatedAt", c."completedAt",
  c."archivedAt"`;

/** SQL: the name of a member, from the account, or from the address before the `@`. */
export const memberName = sql`coalesce(u.name, split_part(m.email, '@', 1))`;

/** The most relations, and the most bytes of cards and of relations, in one answer. */
const maxRelations = 40_000;
const maxBytes = 4 * 1024 * 1024;
const bytesPerRow = 100;
/** The labels and members that a card shows on a page whose relations exceed these limits. */
const maxPerCard = 20;

/** SQL: the relations of cards, one row per label, member and count. */
export const relations = (isCard: Sql, most = sql.number(maxRelations)) => sql`
  SELECT c.id AS "cardId", 'label' AS kind, la."publicId", la.name, la."colourCode" AS extra,
    0::bigint AS total, 0::bigint AS done
  FROM cards c JOIN card_labels cl ON cl."cardId" = c.id
    JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL WHERE ${isCard}
  UNION ALL SELECT c.id, 'member', m."publicId", ${memberName}, u.image, 0, 0
  FROM cards c JOIN card_members cm ON cm."cardId" = c.id
    JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
    LEFT JOIN users u ON u.id = m."userId" WHERE ${isCard}
  UNION ALL SELECT c.id, 'items', NULL, NULL, NULL, count(*), count(i."completedAt")
  FROM cards c JOIN checklists ch ON ch."cardId" = c.id AND ch."deletedAt" IS NULL
    JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL
  WHERE ${isCard} GROUP BY c.id
  UNION ALL SELECT c.id, 'comments', NULL, NULL, NULL, count(*), 0
  FROM cards c JOIN comments co ON co."cardId" = c.id AND co."deletedAt" IS NULL
  WHERE ${isCard} GROUP BY c.id
  UNION ALL SELECT c.id, 'attachments', NULL, NULL, NULL, count(*), 0
  FROM cards c JOIN attachments a ON a."cardId" = c.id AND a."deletedAt" IS NULL
    AND a.status = 'stored' WHERE ${isCard} GROUP BY c.id
  ORDER BY "cardId", kind, name, "publicId" LIMIT ${most}`;
const relationsOfCards = (ids: bigint[]) => relations(sql`c.id = ANY(${ids}::bigint[])`);
/** Each card's first relations of each kind, for cards with too many of them. */
const firstRelations = (ids: bigint[]) => sql`SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "cardId", kind ORDER BY name, "publicId") AS nth
    FROM (${relations(sql`c.id = ANY(${ids}::bigint[])`, sql`ALL`)}) related) numbered
  WHERE nth <= ${sql.number(maxPerCard)} ORDER BY "cardId", kind, nth`;
/** SQL: the index of a card, which counts all cards that are not archived. */
export const index = sql`CASE WHEN c."archivedAt" IS NULL
  THEN count(*) FILTER (WHERE c."archivedAt" IS NULL)
    OVER (PARTITION BY c."listId" ORDER BY c.position) - 1 END AS index`;
const cardsById = (ids: bigint[]) => sql`SELECT ${summaryColumns}, indexed.index FROM cards c
  JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
  LEFT JOIN (SELECT c.id, ${index} FROM cards c WHERE c."deletedAt" IS NULL
    AND c."listId" IN (SELECT "listId" FROM cards WHERE id = ANY(${ids}::bigint[]))) indexed
    ON indexed.id = c.id
  WHERE c.id = ANY(${ids}::bigint[])`;

/** The first card whose relations do not fit into an answer; null when all fit. */
function endOfRelations(related: Relation[]): bigint | null {
  let bytes = 0;
  for (const { cardId, name, extra } of related) {
    bytes += bytesPerRow + (name?.length ?? 0) + (extra?.length ?? 0);
    if (bytes > maxBytes) return cardId;
  }
  return related.length < maxRelations ? null : (related.at(-1)?.cardId ?? null);
}

/** The summaries of cards, in the order of their ids, in two queries. */
export async function summariesOf(query: Query, ids: bigint[]): Promise<Summary[]> {
  if (ids.length === 0) return [];
  const [rows, all] = await Promise.all([
    query<Row>(cardsById(ids)),
    query<Relation>(relationsOfCards(ids)),
  ]);
  const related = endOfRelations(all) === null ? all : await query<Relation>(firstRelations(ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ordered = ids.flatMap((id) => byId.get(id) ?? []);
  return assemble(ordered, related);
}
