import pg from "pg";

/** A connection of `pg`, which its types leave out. */
export type GroupWire = { sync(): void; emit(event: string, message: unknown): boolean };

/** A statement that may be in a group; `isLast` says whether a Sync follows it. */
export type GroupedStatement = { readonly isGrouped: boolean; isLast: boolean };

/** The last statement of the group that each connection has not ended. */
const open = new WeakMap<GroupWire, GroupedStatement>();

/**
 * Adds a statement to the group of its connection: those that are sent in one turn of the event
 * loop.
 *
 * PostgreSQL sends what it has at each Sync, which costs both sides a system call. After a
 * statement that fails it skips the rest of the group, so a group belongs to one transaction.
 */
export function addToGroup(wire: GroupWire, member: GroupedStatement): void {
  const before = open.get(wire);
  if (before === undefined) process.nextTick(() => endGroup(wire));
  else before.isLast = false;
  open.set(wire, member);
}

function endGroup(wire: GroupWire): void {
  if (open.delete(wire)) wire.sync();
}

const isGrouped = (query: unknown) =>
  typeof query === "object" && query !== null && "isGrouped" in query && query.isGrouped === true;

/** Makes each query of a client that is in no group end the group before it. */
export function endGroups(client: pg.ClientBase): void {
  const connection: GroupWire = Reflect.get(client, "connection");
  Reflect.set(client, "query", (...values: unknown[]) => {
    if (!isGrouped(values[0])) endGroup(connection);
    return Reflect.apply(Reflect.get(Object.getPrototypeOf(client), "query"), client, values);
  });
}

/**
 * Ends the answer of a statement that is not the last one, as `pg` expects it of each.
 *
 * The next one has the same error, if there is one: PostgreSQL has skipped it.
 */
export function passOn(wire: GroupWire, error?: Error): void {
  // `pg` fails all statements of a connection that is lost.
  if (error !== undefined && !(error instanceof pg.DatabaseError)) return;
  wire.emit("readyForQuery", { status: "T" });
  if (error !== undefined) wire.emit("errorMessage", error);
}
