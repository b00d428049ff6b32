import { memberName } from "../../kernel/access/member-name.ts";
import { claimOf } from "./claim-sql.ts";
import { indexOf } from "../../kernel/positions.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** What a card shows at most: checklist items by their bytes, and members. */
export const maxItemBytes = 8 * 1024 * 1024;
/** What a read shows of them without its turn. */
export const smallItemBytes = 256 * 1024;
const bytesPerItem = 200;
const maxMembers = 1_000;

const labels = (cardId: Sql) => sql`SELECT la."publicId", la.name, la."colourCode"
  FROM card_labels cl JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL
  WHERE cl."cardId" = ${cardId} ORDER BY la.name, la.id`;
const members = (cardId: Sql) => sql`SELECT m."publicId", ${memberName} AS name, u.image
  FROM card_members cm JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
    LEFT JOIN users u ON u.id = m."userId"
  WHERE cm."cardId" = ${cardId} ORDER BY 2, m.id LIMIT ${sql.number(maxMembers)}`;
// A checklist whose items are all left out has one row, without an item.
const items = (
  cardId: Sql,
  most: number,
) => sql`SELECT "checklistPublicId", name, "checklistVersion",
    "itemCount", CASE WHEN bytes <= ${sql.number(most)} THEN "publicId" END AS "publicId",
    title, "completedAt", "dueDate", version, "memberPublicId"
  FROM (
    SELECT ch."publicId" AS "checklistPublicId", ch.name, ch.version AS "checklistVersion",
      i."publicId", i.title, i."completedAt", i."dueDate", i.version,
      m."publicId" AS "memberPublicId", count(i.id) OVER (PARTITION BY ch.id) AS "itemCount",
      row_number() OVER (PARTITION BY ch.id ORDER BY i.position, i.id) AS nth,
      sum(${sql.number(bytesPerItem)} + octet_length(coalesce(i.title, ''))) OVER parts AS bytes
    FROM checklists ch
      LEFT JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL
      LEFT JOIN members m ON m.id = i."memberId"
    WHERE ch."cardId" = ${cardId} AND ch."deletedAt" IS NULL
    WINDOW parts AS (ORDER BY ch.position, ch.id, i.position, i.id)
    ORDER BY ch.position, ch.id, i.position, i.id) parts
  WHERE nth = 1 OR bytes <= ${sql.number(most)}`;
const attachments = (
  cardId: Sql,
) => sql`SELECT "publicId", kind, filename, "contentType", size, url, version,
    "createdAt"
  FROM attachments WHERE "cardId" = ${cardId} AND "deletedAt" IS NULL AND status = 'stored'
  ORDER BY "createdAt", id`;
const array = (rows: Sql) => sql`(SELECT coalesce(json_agg(x), '[]') FROM (${rows}) x)`;

/** SQL: the ids of a card and of its caller, as values or as columns. */
type Ids = Record<"id" | "userId", Sql>;

/** SQL: the relations of a card, in columns whose names begin with a prefix. */
export const relationsOf = (
  { id, userId }: Ids,
  { prefix = "", itemBytes = maxItemBytes }: { prefix?: string; itemBytes?: number } = {},
) => {
  const as = (name: string) => sql.identifier(prefix + name);
  return sql`
  SELECT ${array(labels(id))} AS ${as("labels")}, ${array(members(id))} AS ${as("members")},
    ${array(items(id, itemBytes))} AS ${as("items")},
    ${array(attachments(id))} AS ${as("attachments")},
    (SELECT ${claimOf} FROM cards c WHERE c.id = ${id}) AS ${as("claim")},
    EXISTS (SELECT 1 FROM card_watchers
      WHERE "cardId" = ${id} AND "userId" = ${userId}) AS ${as("isWatching")},
    (SELECT count(*)::int FROM comments
      WHERE "cardId" = ${id} AND "deletedAt" IS NULL) AS ${as("comments")},
    ${indexOf("card", id)} AS ${as("before")}`;
};
