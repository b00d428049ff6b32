import { getOrInsert } from "../../platform/maps.ts";

/** The columns of one resource in a row. */
export type Group = Record<string, unknown>;

/** A column's group and its name there; without a group it is one of the target. */
type Column = { group: string | undefined; name: string };

/** The columns of all statements, by their full names: their number is fixed. */
const columns = new Map<string, Column>();

const columnOf = (fullName: string): Column =>
  getOrInsert(columns, fullName, () => {
    const dot = fullName.indexOf(".");
    return {
      group: dot < 0 ? undefined : fullName.slice(0, dot),
      name: fullName.slice(dot + 1),
    };
  });

/** Groups the columns of a row by the part of their name before the dot; others are `plain`. */
export function columnGroups(row: Group, plain: string): Record<string, Group> {
  const result: Record<string, Group> = {};
  for (const fullName in row) {
    const { group = plain, name } = columnOf(fullName);
    (result[group] ??= {})[name] = row[fullName];
  }
  return result;
}
