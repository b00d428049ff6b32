/** The columns of one resource in a row. */
export type Group = Record<string, unknown>;

/** Groups the columns of a row by the part of their name before the dot; others are `plain`. */
export function columnGroups(row: Group, plain: string): Record<string, Group> {
  const result: Record<string, Group> = {};
  for (const name in row) {
    const dot = name.indexOf(".");
    const group = dot < 0 ? plain : name.slice(0, dot);
    (result[group] ??= {})[dot < 0 ? name : name.slice(dot + 1)] = row[name];
  }
  return result;
}
