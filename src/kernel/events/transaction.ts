import { limitsOf } from "../../platform/config.ts";
import type { Deps } from "../deps.ts";
import { Work } from "../unit-of-work.ts";
import type { EventType } from "../../contract/events.ts";

/** One transaction in which something may be announced (and must be recorded, see `record`); whoever waits for events is woken after its commit. */
export async function announcing<Emits extends EventType, Result>(
  {
    db,
    clock,
    bell,
    config,
    consumers,
  }: Pick<Deps, "db" | "clock" | "bell" | "config" | "consumers">,
  emits: readonly EventType[],
  run: (work: Work<Emits>) => Promise<Result>,
): Promise<Result> {
  let work: Work<Emits> | undefined;
  const result = await db.transact((tx, query) => {
    work = new Work<Emits>(tx, query, clock(), emits, {
      limits: limitsOf(config),
      consumers,
    });
    return run(work);
  });
  for (const workspaceId of work?.recordedIn ?? []) bell.ring(workspaceId);
  return result;
}
