import { expect } from "vitest";
import type { App } from "../support/app.ts";
import fc from "../support/fast-check.ts";
import { deadlocks, listenOnce } from "./http.ts";
import { expectSound } from "./invariants.ts";

/** How many clients act at once. */
export const clients = 8;
const runs = Number(process.env["PROPERTY_RUNS"] ?? 2);

/** What the clients do: for each of them a number of steps. */
export function plansOf<Step>(
  step: fc.Arbitrary<Step>,
  steps: number,
  count = clients,
): fc.Arbitrary<Step[][]> {
  const plan = fc.array(step, { minLength: steps, maxLength: steps, size: "max" });
  return fc.array(plan, { minLength: count, maxLength: count, size: "max" });
}

/** Runs plans at the address of the app: afterwards the data is sound, and nothing has deadlocked. */
export async function checkPlans<Step>(
  app: App,
  plans: fc.Arbitrary<Step[][]>,
  run: (url: string, plans: Step[][]) => Promise<void>,
): Promise<void> {
  const url = await listenOnce(app);
  const before = await deadlocks(app);
  const property = fc.asyncProperty(plans, async (each) => {
    await run(url, each);
    await expectSound(app);
    expect(await deadlocks(app)).toBe(before);
  });
  // What happens at the same time cannot be made to happen again: nothing is learnt by shrinking.
  await fc.assert(property, { numRuns: runs, endOnFailure: true });
}
