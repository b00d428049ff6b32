import type { Sql } from "./sql.ts";
import type { FairShare } from "../fair-share.ts";
import type { Database, Models, Reader } from "./database.ts";

/** The database as one caller uses it: each use waits for the caller's turn. */
export function sharedDatabase(db: Database, caller: string): Database {
  const { shares } = db;
  return {
    read: <Row>(statement: Sql) => shares.run(caller, () => db.read<Row>(statement)),
    get reader(): Reader {
      const { reader } = db;
      const query: Database["read"] = <Row>(statement: Sql) =>
        shares.run(caller, () => reader.query<Row>(statement));
      return Object.assign(sharedModels(reader, shares, caller), { query });
    },
    readSnapshot: (run) => shares.run(caller, () => db.readSnapshot(run)),
    write: <Row>(statement: Sql) => shares.run(caller, () => db.write<Row>(statement)),
    transact: (run) => shares.run(caller, () => db.transact(run)),
    assignTenant: (tenant) => shares.assign(caller, tenant),
    shares,
    snapshots: db.snapshots,
    connections: () => db.connections(),
    ping: () => db.ping(),
    close: () => db.close(),
  };
}

/** Prisma's models, each method of which waits for the caller's turn. */
function sharedModels(models: Models, shares: FairShare, caller: string): Models {
  // Models and methods are looked up by name, which types cannot follow.
  const lookUp = (make: (name: PropertyKey) => unknown) =>
    new Proxy(Object.create(null), {
      get: (own, name) => Reflect.get(own, name) ?? make(name),
    });
  return lookUp((model) => {
    const delegate = Reflect.get(models, model);
    return lookUp(
      (method) => (args: unknown) =>
        shares.run(caller, async () =>
          Reflect.apply(Reflect.get(delegate, method), delegate, [args]),
        ),
    );
  });
}
