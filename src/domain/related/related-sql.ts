import type { Caller } from "../../kernel/access/callers.ts";
import { seenByUser } from "../../kernel/access/visibility-of-caller.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** SQL: whether a card or a list is neither archived nor in the trash. */
export const isShown = (row: Sql): Sql =>
  sql`${row}."deletedAt" IS NULL AND ${row}."archivedAt" IS NULL`;

/** SQL: the cards `o` in lists `ol`, neither archived nor in the trash, at the other end of relations `r`. */
const others = (end: "fromId" | "toId") => sql`card_relations r
  JOIN cards o ON o.id = r.${sql.identifier(end)} AND ${isShown(sql`o`)}
  JOIN lists ol ON ol.id = o."listId" AND ${isShown(sql`ol`)}`;

/** SQL: the blockers `o` of the card `c` that are not complete. */
const openBlockers = sql`${others("fromId")}
  WHERE r."toId" = c.id AND r.kind = 'blocks' AND o."completedAt" IS NULL`;

/** SQL: FROM the blockers `o` of the card `c` that are not complete and that a caller sees. */
export const seenBlockers = (
  caller: Pick<Caller, "userId" | "key" | "hasSecondFactor">,
): Sql => sql`FROM ${others("fromId")}
  JOIN boards ob ON ob.id = o."boardId" AND ob."deletedAt" IS NULL AND ${seenByUser(caller)(sql`ob`)}
  WHERE r."toId" = c.id AND r.kind = 'blocks' AND o."completedAt" IS NULL`;

const isHere = sql`o."boardId" = c."boardId"`;

/** SQL: whether a card of the board of the card `c` blocks it. */
export const isBlocked = sql`(c."hasRelations" AND EXISTS (SELECT FROM ${openBlockers} AND ${isHere}))`;

/** SQL: the cards `o` of the board of the card `c` that it blocks. */
export const blockedCards = sql`${others("toId")}
  WHERE r."fromId" = c.id AND r.kind = 'blocks' AND ${isHere}`;

const parents = sql`${others("fromId")}
  WHERE r."toId" = c.id AND r.kind = 'parent' AND ${isHere}`;

/** SQL: the parent of the card `c` on its board, as the table `p`. */
export const parentOf = sql`(SELECT o."publicId", o.title FROM ${parents}) p`;

/** SQL: the public id of the parent of the card `c` on its board. */
export const parentId = sql`(SELECT o."publicId" FROM ${parents})`;

const children = sql`${others("toId")}
  WHERE r."fromId" = c.id AND r.kind = 'parent' AND ${isHere}`;

/** SQL: whether the card `c` has children on its board. */
export const hasChildren = sql`(c."hasRelations" AND EXISTS (SELECT FROM ${children}))`;

const countOf = (from: Sql) =>
  sql`(CASE WHEN c."hasRelations" THEN (SELECT count(*) FROM ${from}) ELSE 0 END)`;

/** SQL: how many cards of the board of the card `c` block it and are not complete. */
export const openBlockerCount = countOf(sql`${openBlockers} AND ${isHere}`);

/** SQL: how many children the card `c` has on its board. */
export const childCount = countOf(children);
