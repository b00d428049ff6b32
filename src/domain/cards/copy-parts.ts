import type { Part } from "../../contract/fields/part.ts";
import { parentOf } from "../../contract/resources/board-parts.ts";
import { cardParts as declared } from "../../contract/resources/card-parts.ts";
import { defaultLimits, type Limits } from "../../contract/limits.ts";
import { checkCount } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { checkQuota } from "../attachments/quota.ts";
import { cardParts } from "../parts/card.ts";
import { keepParts } from "../parts/kept.ts";
import type { CopiedRows } from "../parts/part.ts";

/** A row that a copy has: its table, and the bytes of its texts and of its file. */
export type CopiedRow = {
  kind: string;
  id: bigint;
  parent: bigint;
  position: string;
  bytes: number;
  fileBytes: number;
};
/** The ids of copies by those of their sources. */
type Ids = ReadonlyMap<bigint, bigint>;
/** The copies by their tables. */
export type Copies = Map<string, Ids>;
type Tx = Pick<UnitOfWork, "query" | "now">;
type Owner = { workspaceId: bigint; createdById: bigint | null };
/** The rows of a table, and which of them are on the card `c`. */
export type CopiedTable = CopiedRows & { from: Sql; isOn: Sql };
/** Whether parts are copied, by the names of their inputs. */
type Selected = Readonly<Record<string, unknown>>;
type Table = { table: string; columns: readonly string[] };

const switches = new Map<string, Part["copied"]>(
  Object.entries(declared).map(([name, { copied }]) => [name, copied]),
);
const switchOf = (name: string): { by?: string; onBoards?: true } => switches.get(name) ?? {};
const parts = Object.entries(cardParts).map(([name, { copied, from, isOn }]) => ({
  ...switchOf(name),
  rows: copied.map((rows) => ({ from, isOn: isOn(sql`c.id`), ...rows })),
}));

const isSelected = (by: string | undefined, selected: Selected) =>
  by !== undefined && selected[by] === true;

/** The rows that copies of cards have. */
export const rowsOfCards = (selected: Selected): CopiedTable[] =>
  parts.flatMap(({ by, rows }) => (isSelected(by, selected) ? rows : []));

/** The rows that copies of boards have: without members. */
export const rowsOfBoards = (selected: Selected): CopiedTable[] =>
  parts
    .flatMap(({ by, onBoards, rows }) => (onBoards || isSelected(by, selected) ? rows : []))
    .map((rows) => ({ ...rows, memberColumns: [] }));

const columnOf = (alias: string, name: string) =>
  sql`${sql.identifier(alias)}.${sql.identifier(name)}`;

/** SQL: the rows of a table that copies of the cards `c` have, as `CopiedRow`. */
export function selectCopied(rows: CopiedTable, cards: Sql, isCard: Sql): Sql {
  const { table, alias, from, isOn, pairedBy, columns = [], texts = [], fileBytes } = rows;
  const bytes = texts.map((name) => sql`coalesce(octet_length(${columnOf(alias, name)}), 0)`);
  const position = columns.includes("position") ? columnOf(alias, "position") : sql`0`;
  return sql`SELECT ${sql.word(table)} AS kind, ${columnOf(alias, pairedBy ?? "id")} AS id,
      ${columnOf(alias, parentOf(table).column)} AS parent, ${position}::numeric AS position,
      0 AS number, ${sql.join([sql`0`, ...bytes], sql` + `)} AS bytes,
      ${fileBytes ?? sql`0`}::float8 AS "fileBytes"
    FROM ${cards}, ${from} WHERE ${isCard} AND ${isOn}`;
}

const isLimited = (table: string): table is keyof Limits => Object.hasOwn(defaultLimits, table);

/** 409 when a parent has more rows of a table than a limit that was lowered since. */
export function checkCopied({ limits }: Pick<UnitOfWork, "limits">, rows: CopiedRow[]): void {
  const counts = new Map<string, number>();
  for (const { kind, parent } of rows) {
    const key = `${kind} ${parent}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (isLimited(kind)) checkCount(limits, kind, count);
  }
}

/** Counts copied rows and files: 409 or 429 beyond a limit, or the quota of a workspace in MiB. */
export async function countCopied(
  tx: Pick<UnitOfWork, "query" | "lock" | "copied">,
  rows: CopiedRow[],
  workspaceId: bigint,
  quota: number,
  ...others: { bytes: number }[]
): Promise<void> {
  await tx.copied.add([...others, ...rows]);
  const bytes = rows.reduce((sum, { fileBytes }) => sum + fileBytes, 0);
  if (bytes === 0) return;
  await checkQuota(tx, workspaceId, quota, bytes);
  await tx.copied.addFile(bytes);
}

/** Copies what is on cards; `copies` has those of the cards. */
export async function copyParts(
  tx: Tx,
  tables: CopiedTable[],
  rows: CopiedRow[],
  copies: Copies,
  owner: Owner,
): Promise<void> {
  for (const rowsOfTable of tables) {
    const { table, pairedBy, pairedWith, insert, columns = [], memberColumns = [] } = rowsOfTable;
    if (insert !== undefined) {
      const sources = rows.filter(({ kind }) => kind === table);
      const cardIds = sources.map((row) => copies.get("cards")?.get(row.parent) ?? null);
      const copied = { ids: sources.map(({ id }) => id), cardIds, copies };
      const withMembers = memberColumns.length > 0;
      if (sources.length > 0)
        await tx.query(insert({ ...copied, workspaceId: owner.workspaceId, withMembers }));
      continue;
    }
    if (pairedBy === undefined) {
      await copyRows(tx, { table, columns: [...columns, ...memberColumns] }, rows, copies, owner);
      await rowsOfTable.complete?.(tx.query, [...(copies.get(table)?.values() ?? [])]);
      continue;
    }
    const sources = rows.filter(({ kind }) => kind === table);
    if (sources.length === 0) continue;
    const pairedCopies = copies.get(pairedWith ?? "");
    await tx.query(sql`
      INSERT INTO ${sql.identifier(table)} ("cardId", ${sql.identifier(pairedBy)}, "workspaceId",
        "createdAt")
      SELECT pair.*, ${owner.workspaceId}::bigint, ${tx.now}::timestamptz
      FROM unnest(${sources.map((row) => copies.get("cards")?.get(row.parent) ?? null)}::bigint[],
        ${sources.map(({ id }) => pairedCopies?.get(id) ?? id)}::bigint[]) AS pair`);
  }
  const cardIds = [...(copies.get("cards") ?? new Map<bigint, bigint>()).values()];
  if (rows.length > 0) void keepParts(tx.query, sql`c.id = ANY(${cardIds}::bigint[])`);
}

/** How many rows one statement inserts: between two, others are answered. */
const pageSize = 5_000;

/** Copies the rows of a table under the copies of their parents, and adds the new ids. */
export async function copyRows(
  { query, now }: Tx,
  { table, columns }: Table,
  rows: CopiedRow[],
  copies: Copies,
  { workspaceId, createdById }: Owner,
): Promise<void> {
  const parent = parentOf(table);
  const sources = rows.filter(({ kind }) => kind === table);
  const newIds = new Map<bigint, bigint>();
  copies.set(table, newIds);
  const ownColumns: [string, Sql][] = [
    ["createdById", sql`${createdById}::bigint`],
    ["createdAt", sql`${now}::timestamptz`],
    ["updatedAt", sql`${now}::timestamptz`],
  ];
  const values = [
    ...ownColumns.filter(([name]) => !columns.includes(name)),
    ...columns.map((name): [string, Sql] => [
      name,
      columnOf(name === "position" ? "new" : "source", name),
    ]),
  ];
  for (let start = 0; start < sources.length; start += pageSize) {
    const page = sources.slice(start, start + pageSize);
    const ids = new Map(page.map(({ id }) => [publicId(), id]));
    const inserted = await query<{ id: bigint; publicId: string }>(sql`
      INSERT INTO ${sql.identifier(table)} ("publicId", "workspaceId",
        ${sql.identifier(parent.column)},
        ${sql.join(
          values.map(([name]) => sql.identifier(name)),
          sql`, `,
        )})
      SELECT new."publicId", ${workspaceId}::bigint, new.parent,
        ${sql.join(
          values.map(([, value]) => value),
          sql`, `,
        )}
      FROM unnest(${[...ids.values()]}::bigint[], ${[...ids.keys()]}::text[],
        ${page.map((row) => copies.get(parent.table)?.get(row.parent) ?? null)}::bigint[],
        ${page.map(({ position }) => position)}::numeric[])
        WITH ORDINALITY AS new(id, "publicId", parent, position, nth)
      -- The texts of what was deleted meanwhile are erased.
      JOIN ${sql.identifier(table)} source ON source.id = new.id AND source."deletedAt" IS NULL
      ORDER BY new.nth RETURNING id, "publicId"`);
    for (const row of inserted) newIds.set(ids.get(row.publicId) ?? 0n, row.id);
  }
}
