import type { Deps } from "../../../kernel/request/deps.ts";
import { createDispatcher } from "./dispatcher.ts";
import { webhookLeaseMs } from "./leases.ts";

const pollMs = 1_000;
const graceMs = 8_000;

/** The dispatcher of this process; `stop` lets attempts in flight finish, or gives them back. */
export type Deliveries = { stop(): Promise<void> };

/**
 * Delivers in this process, `slots` attempts at a time.
 *
 * A commit with deliveries wakes it. The poll finds retries, and the work of processes that died.
 */
export function startDeliveries(deps: Deps, slots: number): Deliveries {
  if (slots === 0) return { stop: async () => undefined };
  const dispatcher = createDispatcher(deps, slots);
  const unsubscribe = deps.notifier.subscribe(({ workspaceId, hasWork }) => {
    if (hasWork && workspaceId !== null) dispatcher.poll(workspaceId);
  });
  const polling = setInterval(() => dispatcher.poll("all"), pollMs);
  const renewing = setInterval(() => dispatcher.renewLeases(), webhookLeaseMs / 4);
  dispatcher.poll("all");
  return {
    async stop() {
      unsubscribe();
      clearInterval(polling);
      clearInterval(renewing);
      await dispatcher.stop(graceMs);
    },
  };
}
