import { expect } from "vitest";
import { deliverDue } from "../../support/deliveries.ts";
import { runDue } from "../../support/jobs.ts";
import { useOutgoing } from "../../support/open-transactions.ts";
import type { World } from "../access/world.ts";
import type { Observer } from "./walk.ts";

/** No transaction that writes is open while another service is called. */
export function callsOutsideTransactions(world: () => World): Observer {
  const outgoing = useOutgoing();
  const inTransactions = () => outgoing.filter(({ isInside }) => isInside);
  const hosts = () => outgoing.map(({ to }) => new URL(to).host);
  const called = new Set<string>();
  return {
    name: "calls other services outside transactions",
    watches: () => true,
    before: () => void (outgoing.length = 0),
    after() {
      for (const host of hosts()) called.add(host);
      expect(inTransactions()).toEqual([]);
    },
    ends: {
      async "webhooks and jobs do so too"() {
        const { app, receiver, s3, trello } = world();
        // The calls of the operations went to the storage and to a source of imports.
        expect([...called]).toContain(new URL(trello.apiUrl).host);
        expect([...called]).toContain(new URL(s3.storageUrl.replace(/^s3\+/, "")).host);
        outgoing.length = 0;
        await deliverDue(app.deps);
        expect(hosts()).toContain(new URL(receiver.url).host);
        await runDue(app.deps);
        expect(inTransactions()).toEqual([]);
      },
      async "a request inside a transaction is found"() {
        outgoing.length = 0;
        const { app, github } = world();
        await app.db.transact(async () => {
          await fetch(github.url);
        });
        expect(inTransactions()).toHaveLength(1);
      },
    },
  };
}
