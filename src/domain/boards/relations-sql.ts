import { maxRelations } from "../cards/relations-sql.ts";
import { memberName } from "../../kernel/access/member-name.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** SQL: the cards `c` of a whole board. */
const isOfBoard = (boardId: bigint) =>
  sql`c."boardId" = ${boardId} AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL`;

/** The indexes of the columns of relations, which are read as texts: an id, or two counts. */
export const relationColumn = { cardId: 0, kind: 1, id: 2, total: 2, done: 3 };

/** SQL: the relations of a board's cards. */
export const relationsOfBoard = (boardId: bigint) => {
  const isCard = isOfBoard(boardId);
  return sql`
  SELECT c.id, 'label', cl."labelId", NULL::bigint
  FROM cards c JOIN card_labels cl ON cl."cardId" = c.id
    JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL WHERE ${isCard}
  UNION ALL SELECT c.id, 'member', cm."memberId", NULL
  FROM cards c JOIN card_members cm ON cm."cardId" = c.id
    JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed' WHERE ${isCard}
  UNION ALL SELECT c.id, 'items', count(*), count(i."completedAt")
  FROM cards c JOIN checklists ch ON ch."cardId" = c.id AND ch."deletedAt" IS NULL
    JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL
  WHERE ${isCard} GROUP BY c.id
  UNION ALL SELECT c.id, 'comments', count(*), NULL
  FROM cards c JOIN comments co ON co."cardId" = c.id AND co."deletedAt" IS NULL
  WHERE ${isCard} GROUP BY c.id
  UNION ALL SELECT c.id, 'attachments', count(*), NULL
  FROM cards c JOIN attachments a ON a."cardId" = c.id AND a."deletedAt" IS NULL
    AND a.status = 'stored' WHERE ${isCard} GROUP BY c.id
  ORDER BY 1 LIMIT ${sql.number(maxRelations)}`;
};

/** SQL: the members with some ids, in the order that a card shows them. */
const membersWith = (ids: Sql) => sql`
  SELECT m.id, m."publicId", ${memberName} AS name, u.image
  FROM members m LEFT JOIN users u ON u.id = m."userId"
  WHERE m.status <> 'removed' AND m.id IN (${ids})
  ORDER BY name, m."publicId"`;

/** SQL: the members who are assigned to a board's cards. */
export const membersOfBoard = (boardId: bigint) =>
  membersWith(sql`SELECT cm."memberId" FROM cards c
    JOIN card_members cm ON cm."cardId" = c.id WHERE ${isOfBoard(boardId)}`);

/** SQL: the members who are assigned to some cards. */
export const membersOfCards = (ids: readonly string[]) =>
  membersWith(sql`SELECT cm."memberId" FROM unnest(${ids}::bigint[]) AS c(id)
    CROSS JOIN LATERAL (SELECT cm."memberId" FROM card_members cm
      WHERE cm."cardId" = c.id OFFSET 0) cm`);
