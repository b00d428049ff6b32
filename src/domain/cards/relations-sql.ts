import { memberName } from "../../kernel/access/member-name.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** The most labels, members and counts of cards in one answer. */
export const maxRelations = 40_000;

/** SQL: what a row has beside its card and kind: of a label `la`, a member `m`, or two counts. */
type Columns = { label: Sql; member: Sql; counts: (total: Sql, done: Sql) => Sql };

/** The columns of `Relation`. */
const named: Columns = {
  label: sql`la."publicId", la.name, la."colourCode" AS extra, 0::bigint AS total,
    0::bigint AS done`,
  member: sql`m."publicId", ${memberName}, u.image, 0, 0`,
  counts: (total, done) => sql`NULL, NULL, NULL, ${total}, ${done}`,
};
/** An id or two counts, for the answers that show each label and member once. */
const ids: Columns = {
  label: sql`la.id, NULL::bigint`,
  member: sql`m.id, NULL`,
  counts: (total, done) => sql`${total}, ${done}`,
};

/**
 * SQL: the relations of the cards `c` of a table, one row per label, member and count.
 *
 * Each card is looked up in the indexes, also before PostgreSQL has statistics.
 */
const relationsOf = (cards: Sql, { label, member, counts }: Columns) => sql`
  SELECT c.id AS "cardId", related.* FROM ${cards} CROSS JOIN LATERAL (
    SELECT 'label' AS kind, ${label}
    FROM card_labels cl JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL
    WHERE cl."cardId" = c.id
    UNION ALL SELECT 'member', ${member}
    FROM card_members cm JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
      LEFT JOIN users u ON u.id = m."userId" WHERE cm."cardId" = c.id
    UNION ALL SELECT 'items', ${counts(sql`count(*)`, sql`count(i."completedAt")`)}
    FROM checklists ch CROSS JOIN LATERAL (SELECT i."completedAt" FROM checklist_items i
      WHERE i."checklistId" = ch.id AND i."deletedAt" IS NULL OFFSET 0) i
    WHERE ch."cardId" = c.id AND ch."deletedAt" IS NULL HAVING count(*) > 0
    UNION ALL SELECT 'comments', ${counts(sql`count(*)`, sql`0`)} FROM comments co
    WHERE co."cardId" = c.id AND co."deletedAt" IS NULL HAVING count(*) > 0
    UNION ALL SELECT 'attachments', ${counts(sql`count(*)`, sql`0`)} FROM attachments a
    WHERE a."cardId" = c.id AND a."deletedAt" IS NULL AND a.status = 'stored'
    HAVING count(*) > 0) related`;

/** SQL: the relations of the cards `c`, with the names of labels and members. */
export const relations = (isCard: Sql, most = sql.number(maxRelations)) => sql`
  ${relationsOf(sql`(SELECT c.id FROM cards c WHERE ${isCard} OFFSET 0) c`, named)}
  ORDER BY "cardId", kind, name, "publicId" LIMIT ${most}`;

/** SQL: the relations of some cards, with the ids of labels and members. */
export const relationIdsOf = (cardIds: readonly string[]) => sql`
  ${relationsOf(sql`unnest(${cardIds}::bigint[]) AS c(id)`, ids)}
  ORDER BY 1 LIMIT ${sql.number(maxRelations)}`;
