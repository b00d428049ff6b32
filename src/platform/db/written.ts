import { sql, type Sql, type Value } from "./sql.ts";

/** What statements write: rows, as PostgreSQL counts them, and the bytes of their parameters. */
export type WrittenAmount = { rows: number; bytes: number };

/** The bytes of a row without its texts: header, short columns and index entries. */
export const rowBytes = 256;

/** The count before the first statement. */
export const nothingWritten = (): WrittenAmount => ({ rows: 0, bytes: 0 });

/** How many bytes a written amount counts as. */
export const storedBytes = ({ rows, bytes }: WrittenAmount): number => rows * rowBytes + bytes;

/** The size of a statement's parameters: all the new data that it can store. */
export function parameterBytes(values: readonly Value[]): number {
  let bytes = 0;
  for (const value of values) {
    if (typeof value === "string") bytes += Buffer.byteLength(value);
    else if (value instanceof Uint8Array) bytes += value.byteLength;
    else if (isList(value)) bytes += parameterBytes(value);
    else bytes += 8;
  }
  return bytes;
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** SQL: how many bytes the rows of a common table expression count as. */
export const storedIn = (name: Sql, texts: Sql = sql`0`): Sql =>
  sql`(SELECT coalesce(sum(${texts} + ${rowBytes}::int), 0) FROM ${name})`;
