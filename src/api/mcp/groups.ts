import { badRequest } from "../../platform/errors.ts";

/** The groups that `?tools=` chooses from. */
export const groups = ["read", "cards", "boards", "batch"] as const;
export type Group = (typeof groups)[number];

const isGroup = (name: string): name is Group => groups.some((group) => group === name);

/** The groups that a request names, separated by commas; all without. */
export function chosenGroups(groupNames: string | undefined): readonly Group[] {
  if (groupNames === undefined) return groups;
  return groupNames.split(",").map((name) => {
    if (isGroup(name)) return name;
    throw badRequest("invalid_value", `Must be some of ${groups.join(",")}.`, ["tools"]);
  });
}
