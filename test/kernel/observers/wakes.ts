import { expect } from "vitest";
import { nameOf, userLog, workspaceLog } from "../../../src/kernel/events/logs.ts";
import { operations, writes } from "../access/call.ts";
import { eventsOf } from "../access/perform.ts";
import type { World } from "../access/world.ts";
import type { Observer } from "./walk.ts";

/** Who waits for the events of a write is woken when it commits: a poll would only be later. */
export function wakes(world: () => World): Observer {
  let woken = new Set<string>();
  let stop = () => {};
  let count = 0;
  return {
    name: "wakes who waits for its events",
    watches: writes,
    before() {
      woken = new Set();
      stop = world().app.deps.notifier.subscribe(({ log }) => woken.add(nameOf(log)));
    },
    async after({ requestId }) {
      stop();
      const events = await eventsOf(world().app, requestId);
      const logs = events.map(({ userId, workspaceId }) =>
        nameOf(userId === null ? workspaceLog(workspaceId ?? 0n) : userLog(userId)),
      );
      count += Math.min(logs.length, 1);
      expect(logs.filter((log) => !woken.has(log))).toEqual([]);
    },
    ends: {
      "most writes have events"() {
        expect(count).toBeGreaterThan(operations.filter(writes).length / 2);
      },
    },
  };
}
