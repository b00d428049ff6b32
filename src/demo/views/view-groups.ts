import type { ViewGroups } from "@workspace-board-service/client";

/** A group of a view; one without a key has all cards. */
export type Group = Omit<ViewGroups["groups"][number], "key"> & { key?: string };

/** The groups of a view; one of all cards where they are not grouped. */
export function groupsOf({ groups, total }: ViewGroups): Group[] {
  if (groups.length > 0 || total === 0) return groups;
  return [{ name: "All cards", colourCode: null, boardPublicId: null, count: total }];
}

/** What groups without a name of their own are called. */
const names: Record<string, string> = {
  none: "None",
  past: "Past",
  today: "Today",
  tomorrow: "Tomorrow",
  thisWeek: "This week",
  later: "Later",
};

/** What a group is called. */
export const nameOf = ({ name, key = "" }: Group): string => name ?? names[key] ?? key;
