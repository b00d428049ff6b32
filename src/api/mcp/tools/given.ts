/** Object.fromEntries, typed as any record. */
const recordOf = (entries: unknown[][]) => Object.fromEntries(entries);

/** Drops the fields that are undefined. */
export const withoutUndefined = <Fields extends Record<string, unknown>>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  recordOf(Object.entries(fields).filter(([, value]) => value !== undefined));
