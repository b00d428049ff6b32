import type { Sql } from "./sql.ts";
import { parameterBytes, rowBytes, storedBytes, type WrittenAmount } from "./written.ts";
import type { FairShare } from "../fair-share.ts";
import type { Database, Models, DatabaseReader } from "./database.ts";
import { gatherReads, type ReadTogether } from "./gather-reads.ts";
import { callModel, modelsThat } from "./models.ts";

/** Records the bytes that a caller has written. */
type RecordBytes = (bytes: number) => Promise<unknown>;

const ignore: RecordBytes = () => Promise.resolve();

/**
 * The database as one caller uses it: each use waits for the caller's turn.
 *
 * `recordBytes` gets how much each write has stored, after its commit.
 */
export function sharedDatabase(db: Database, caller: string, recordBytes = ignore): Database {
  const { shares } = db;
  let reader: DatabaseReader | undefined;
  const readTogether: ReadTogether = (run) => shares.run(caller, () => db.readTogether(run));
  return {
    read: gatherReads(readTogether),
    readTogether,
    get reader(): DatabaseReader {
      return (reader ??= sharedReader(db.reader, shares, caller));
    },
    readSnapshot: (run) => shares.run(caller, () => db.readSnapshot(run)),
    async write<Row>(statement: Sql) {
      const rows = await shares.run(caller, () => db.write<Row>(statement));
      await recordBytes(rowBytes + parameterBytes(statement.values));
      return rows;
    },
    async transact(run) {
      let last: WrittenAmount | undefined;
      const result = await shares.run(caller, () =>
        db.transact((prisma, query, written) => run(prisma, query, (last = written))),
      );
      if (last !== undefined) await recordBytes(storedBytes(last));
      return result;
    },
    assignTenant: (tenant) => shares.assign(caller, tenant),
    shares,
    processLock: db.processLock,
    snapshots: db.snapshots,
    connections: () => db.connections(),
    ping: () => db.ping(),
    close: () => db.close(),
  };
}

function sharedReader(reader: DatabaseReader, shares: FairShare, caller: string): DatabaseReader {
  const query: Database["read"] = <Row>(statement: Sql) =>
    shares.run(caller, () => reader.query<Row>(statement));
  return Object.assign(sharedModels(reader, shares, caller), { query });
}

/** Prisma's models, each method of which waits for the caller's turn. */
function sharedModels(models: Models, shares: FairShare, caller: string): Models {
  return modelsThat((model, method, args) =>
    shares.run(caller, () => callModel(models, model, method, args)),
  );
}
