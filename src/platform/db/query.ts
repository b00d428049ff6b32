/** Runs one prepared statement with `$1`-style values; int8 comes back as bigint, timestamps as Date. */
export type Query = <Row>(sql: string, values: unknown[]) => Promise<Row[]>;
