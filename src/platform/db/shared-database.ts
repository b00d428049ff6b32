import type { Sql } from "./sql.ts";
import type { FairShare } from "../fair-share.ts";
import type { Database, Models, Reader } from "./database.ts";
import { gatherReads, type ReadTogether } from "./gather-reads.ts";
import { modelsThat } from "./models.ts";

/** The database as one caller uses it: each use waits for the caller's turn. */
export function sharedDatabase(db: Database, caller: string): Database {
  const { shares } = db;
  let shared: Reader | undefined;
  const readTogether: ReadTogether = (run) => shares.run(caller, () => db.readTogether(run));
  return {
    read: gatherReads(readTogether),
    readTogether,
    get reader(): Reader {
      return (shared ??= sharedReader(db.reader, shares, caller));
    },
    readSnapshot: (run) => shares.run(caller, () => db.readSnapshot(run)),
    write: <Row>(statement: Sql) => shares.run(caller, () => db.write<Row>(statement)),
    transact: (run) => shares.run(caller, () => db.transact(run)),
    assignTenant: (tenant) => shares.assign(caller, tenant),
    shares,
    processLock: db.processLock,
    snapshots: db.snapshots,
    connections: () => db.connections(),
    ping: () => db.ping(),
    close: () => db.close(),
  };
}

function sharedReader(reader: Reader, shares: FairShare, caller: string): Reader {
  const query: Database["read"] = <Row>(statement: Sql) =>
    shares.run(caller, () => reader.query<Row>(statement));
  return Object.assign(sharedModels(reader, shares, caller), { query });
}

/** Prisma's models, each method of which waits for the caller's turn. */
function sharedModels(models: Models, shares: FairShare, caller: string): Models {
  return modelsThat((model, method, args) => {
    const delegate = Reflect.get(models, model);
    return shares.run(caller, async () =>
      Reflect.apply(Reflect.get(delegate, method), delegate, [args]),
    );
  });
}
