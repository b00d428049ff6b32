import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import pg from "pg";
import { beforeAll } from "vitest";

/** A request that left, and whether it was made inside a transaction that writes. */
export type Outgoing = { to: string; isInside: boolean };

/** Notes the requests to other services, and whether they were made inside a transaction. */
export function useOutgoing(): Outgoing[] {
  const outgoing: Outgoing[] = [];
  // Other transactions may be open meanwhile, such as that of a lease.
  const own = new AsyncLocalStorage<{ isOpen: boolean }>();
  const open = new Map<pg.Client, { isOpen: boolean }>();
  // Every statement goes through the driver.
  const { prototype } = pg.Client;
  const note = (message: unknown) => {
    const { request } = message as { request: { origin: unknown; path: string } };
    outgoing.push({
      to: `${String(request.origin)}${request.path}`,
      isInside: own.getStore()?.isOpen === true,
    });
  };
  beforeAll(() => {
    // Others may note statements too.
    const query = Reflect.get(prototype, "query");
    Reflect.set(prototype, "query", function (this: pg.Client, ...values: any[]) {
      const text = String(values[0]?.text ?? values[0]);
      if (text === "BEGIN READ WRITE") {
        const transaction = { isOpen: true };
        open.set(this, transaction);
        own.enterWith(transaction);
      }
      const transaction = open.get(this);
      if (transaction !== undefined && /^(?:COMMIT|ROLLBACK)$/.test(text)) {
        transaction.isOpen = false;
      }
      return Reflect.apply(query, this, values);
    });
    subscribe("undici:request:create", note);
    return () => {
      Reflect.set(prototype, "query", query);
      unsubscribe("undici:request:create", note);
    };
  });
  return outgoing;
}
