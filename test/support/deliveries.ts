import type { Deps } from "../../src/kernel/request/deps.ts";
import { createDispatcher } from "../../src/outbound/webhooks/dispatch/dispatcher.ts";

/** Delivers everything that is due until nothing is; returns the number of attempts. */
export async function deliverDue(deps: Deps, slots = 64): Promise<number> {
  const dispatcher = createDispatcher(deps, slots);
  let attempts = -1;
  for (let now = 0; now > attempts; now = await dispatcher.drained()) {
    attempts = now;
    dispatcher.poll("all");
  }
  await dispatcher.stop(8_000);
  return attempts;
}
