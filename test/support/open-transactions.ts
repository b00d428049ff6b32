import { subscribe, unsubscribe } from "node:diagnostics_channel";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";

/** A request that left, and how many transactions that write were open then. */
export type Outgoing = { to: string; open: number };

/** Notes the requests to other services, with the transactions that were open. */
export function useOutgoing(): Outgoing[] {
  const outgoing: Outgoing[] = [];
  const open = new Set<pg.Client>();
  // Every statement goes through the driver.
  const { prototype } = pg.Client;
  const query = Reflect.get(prototype, "query");
  const note = (message: unknown) => {
    const { request } = message as { request: { origin: unknown; path: string } };
    outgoing.push({ to: `${String(request.origin)}${request.path}`, open: open.size });
  };
  beforeAll(() => {
    Reflect.set(prototype, "query", function (this: pg.Client, ...values: any[]) {
      const text = String(values[0]?.text ?? values[0]);
      if (text === "BEGIN READ WRITE") open.add(this);
      if (text === "COMMIT" || text === "ROLLBACK") open.delete(this);
      return Reflect.apply(query, this, values);
    });
    subscribe("undici:request:create", note);
  });
  afterAll(() => {
    Reflect.set(prototype, "query", query);
    unsubscribe("undici:request:create", note);
  });
  return outgoing;
}
