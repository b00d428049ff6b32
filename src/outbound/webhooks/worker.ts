import type { Deps } from "../../kernel/request/deps.ts";
import { createDispatcher } from "./dispatcher.ts";
import { leaseMs } from "./queue.ts";

const pollMs = 1_000;
const patienceMs = 8_000;

/** Deliveries at work; `stop` begins no attempt, and lets those that are under way finish or gives them back. */
export type Deliveries = { stop(): Promise<void> };

/** Delivers in this process, so many attempts at a time; shares the work with all other processes. Whoever commits an event rings; looking now and then finds what no bell has told of: retries, and what others left behind. */
export function startDeliveries(deps: Deps, slots: number): Deliveries {
  if (slots === 0) return { stop: async () => undefined };
  const courier = createDispatcher(deps, slots);
  const silence = deps.notifier.subscribe((workspaceId) => courier.look(workspaceId));
  const polling = setInterval(() => courier.look("everywhere"), pollMs);
  const beating = setInterval(() => courier.beat(), leaseMs / 4);
  courier.look("everywhere");
  return {
    async stop() {
      silence();
      clearInterval(polling);
      clearInterval(beating);
      await courier.stop(patienceMs);
    },
  };
}

/** Delivers all that is due, and what that makes due, until nothing is; answers how many attempts that were. */
export async function deliverDue(deps: Deps, slots = 64): Promise<number> {
  const courier = createDispatcher(deps, slots);
  let attempts = -1;
  for (let now = 0; now > attempts; now = await courier.quiet()) {
    attempts = now;
    courier.look("everywhere");
  }
  await courier.stop(patienceMs);
  return attempts;
}
