import { tablesOf, type PartTable } from "../../contract/fields/part.ts";
import { boardParts, parentOf } from "../../contract/resources/board-parts.ts";
import { checkCount } from "../../kernel/limits.ts";
import { maxCopied } from "../../kernel/events/copied-rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import {
  checkCopied,
  copyParts,
  copyRows,
  countCopied,
  rowsOfBoards,
  selectCopied,
  type CopiedRow,
  type CopiedTable,
  type Copies,
} from "../cards/copy-parts.ts";
import { insertCards } from "../cards/insert.ts";
import { checkListLimits } from "../list-limits.ts";

const isLive = (alias: Sql) => sql`${alias}."deletedAt" IS NULL AND ${alias}."archivedAt" IS NULL`;

const tables = tablesOf(boardParts);

/** SQL: whether a copy of a board has a row of one of its tables. */
function isCopied(boardId: bigint, [name, { canArchive }]: [string, PartTable]): Sql {
  const { table, column } = parentOf(name);
  const parent = tables.find(([tableName]) => tableName === table);
  return sql`"deletedAt" IS NULL ${canArchive ? sql`AND "archivedAt" IS NULL` : sql.empty}
    AND ${sql.identifier(column)} ${
      parent === undefined
        ? sql`= ${boardId}`
        : sql`IN (SELECT id FROM ${sql.identifier(table)} WHERE ${isCopied(boardId, parent)})`
    }`;
}

const hasPosition = ({ copied }: PartTable) => copied?.includes("position") === true;

/**
 * At most `limit` of the rows that a copy of a board has, with the bytes of their texts and files.
 *
 * One statement has one snapshot: concurrent moves duplicate no row.
 */
function contents(boardId: bigint, limit: number, onCards: CopiedTable[]): Sql {
  const ofBoard = sql`l."boardId" = ${boardId} AND ${isLive(sql`l`)}`;
  const cards = sql`lists l JOIN cards c ON c."listId" = l.id AND ${isLive(sql`c`)}`;
  return sql`SELECT * FROM (
      SELECT 'cards' AS kind, c.id, c."listId" AS parent, c.position, c.number,
        octet_length(c.title) + coalesce(octet_length(c.description), 0) AS bytes,
        0::float8 AS "fileBytes" FROM ${cards} WHERE ${ofBoard}
      UNION ALL ${sql.join(
        [
          ...tables.map(
            ([name, table]) => sql`SELECT ${sql.word(name)}, id,
              ${sql.identifier(parentOf(name).column)},
              ${hasPosition(table) ? sql`position` : sql`0`}, 0, octet_length(name), 0
            FROM ${sql.identifier(name)} WHERE ${isCopied(boardId, [name, table])}`,
          ),
          ...onCards.map((rows) => selectCopied(rows, cards, ofBoard)),
        ],
        sql` UNION ALL `,
      )}
      LIMIT ${limit}::bigint) AS content
    ORDER BY number, id`;
}

/** The new board, as every row of the copy refers to it. */
type Copy = { workspaceId: bigint; boardId: bigint; createdById: bigint };
type Tx = Pick<
  UnitOfWork,
  "query" | "lock" | "limits" | "now" | "allowLongStatements" | "copied" | "mayExceedListLimits"
>;
/** The parts of cards to copy, and the quota of the workspace for files in MiB. */
type Selected = Readonly<Record<string, unknown>> & { quota: number };

/**
 * Copies the parts of a board, its cards and what is on them to a new one, in their order.
 *
 * Returns the ids of the copies.
 */
export async function copyContents(
  tx: Tx,
  sourceId: bigint,
  copy: Copy,
  { quota, ...selected }: Selected,
): Promise<Copies> {
  await tx.allowLongStatements();
  const onCards = rowsOfBoards(selected);
  const rows = await tx.query<CopiedRow>(contents(sourceId, maxCopied + 1, onCards));
  await countCopied(tx, rows, copy.workspaceId, quota);
  checkCopied(tx, rows);
  const cards = rows.filter(({ kind }) => kind === "cards");
  checkCount(tx.limits, "cards", cards.length);
  const copies: Copies = new Map([["boards", new Map([[sourceId, copy.boardId]])]]);
  for (const [table, { copied: columns = [] }] of tables)
    await copyRows(tx, { table, columns }, rows, copies, copy);
  const lists = copies.get("lists");
  const inserted = await insertCards(
    tx,
    copy,
    cards.map(({ id, parent: listId, position }) => ({
      boardId: copy.boardId,
      listId: lists?.get(listId) ?? 0n,
      position,
      copyOf: id,
    })),
  );
  await checkListLimits(tx, sql`l."boardId" = ${copy.boardId}`);
  copies.set("cards", new Map(inserted.map(({ id }, nth) => [cards[nth]?.id ?? 0n, id])));
  await copyParts(tx, onCards, rows, copies, copy);
  return copies;
}
