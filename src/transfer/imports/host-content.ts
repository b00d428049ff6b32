import { withoutApiPath } from "../integrations/hosts.ts";

/** What identifies equal imports from a host: its address and the chosen ids, in any order. */
export const hostContent = (url: string, selected: Record<string, string[] | undefined>): string =>
  JSON.stringify([
    withoutApiPath(url).toLowerCase(),
    ...Object.entries(selected).map(([name, ids]) => [name, [...new Set(ids ?? [])].toSorted()]),
  ]);
