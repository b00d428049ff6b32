import { limitsOf } from "../../platform/config.ts";
import type { Deps } from "../deps.ts";
import { UnitOfWork } from "../unit-of-work.ts";
import type { EventType } from "../../contract/events.ts";

/** One transaction in which something may be announced (and must be recorded, see `record`); whoever waits for events is woken after its commit. */
export async function runInTransaction<Emits extends EventType, Result>(
  {
    db,
    clock,
    notifier,
    config,
    consumers,
  }: Pick<Deps, "db" | "clock" | "notifier" | "config" | "consumers">,
  emits: readonly EventType[],
  run: (tx: UnitOfWork<Emits>) => Promise<Result>,
): Promise<Result> {
  let tx: UnitOfWork<Emits> | undefined;
  const result = await db.transact((prisma, query) => {
    tx = new UnitOfWork<Emits>(prisma, query, clock(), emits, {
      limits: limitsOf(config),
      consumers,
    });
    return run(tx);
  });
  for (const workspaceId of tx?.changedWorkspaces ?? []) notifier.notify(workspaceId);
  return result;
}
