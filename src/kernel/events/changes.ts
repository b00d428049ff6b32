import type { Changes } from "./pending-event.ts";

/** The fields of `after` that differ from `before`, both in their public view; `version` and `updatedAt` always follow and are left out. */
export function changesBetween<View extends object>(before: View, after: View): Changes {
  const changes: Changes = {};
  for (const key in after) {
    const [from, to]: unknown[] = [before[key], after[key]];
    if (key === "version" || key === "updatedAt" || JSON.stringify(from) === JSON.stringify(to))
      continue;
    changes[key] = { from, to };
  }
  return changes;
}

/** The fields that were given, without those that were not. */
export function present<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}

/** The moment that a flag sets: its old moment or `now`, null for false; undefined without a flag. */
export const momentOf = (flag: boolean | undefined, old: Date | null, now: Date) =>
  flag === undefined ? undefined : flag ? (old ?? now) : null;
