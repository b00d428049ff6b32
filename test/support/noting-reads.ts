import type { Database } from "../../src/platform/db/database.ts";
import type { Query } from "../../src/platform/db/query.ts";
import type { Sql } from "../../src/platform/db/sql.ts";

/** A database that notes each statement outside a transaction. */
export function notingReads(db: Database, note: (statement: Sql) => void): Database {
  const noting =
    (query: Query): Query =>
    <Row>(statement: Sql) => {
      note(statement);
      return query<Row>(statement);
    };
  const { read, readTogether } = db;
  return {
    ...db,
    read: noting(read),
    readTogether: (run) => readTogether((query) => run(noting(query))),
  };
}
