import type { Changes } from "./pending-event.ts";

/** The public fields that differ, except `version` and `updatedAt`, which always do. */
export function changesBetween<View extends object>(before: View, after: View): Changes {
  const changes: Changes = {};
  for (const key in after) {
    const [from, to]: unknown[] = [before[key], after[key]];
    if (from === to || key === "version" || key === "updatedAt") continue;
    if (JSON.stringify(from) !== JSON.stringify(to)) changes[key] = { from, to };
  }
  return changes;
}

/** Drops the fields that are undefined. */
export function present<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}

/** The time that a flag sets: the old time or `now`; null for false, undefined if absent. */
export const timeOfFlag = (flag: boolean | undefined, old: Date | null, now: Date) =>
  flag === undefined ? undefined : flag ? (old ?? now) : null;
