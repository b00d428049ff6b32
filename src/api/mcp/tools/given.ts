/** A record of any type: it has the fields of what it is made of. */
const recordOf = (entries: unknown[][]) => Object.fromEntries(entries);

/** The fields that were given, without those that were not. */
export const given = <Fields extends Record<string, unknown>>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  recordOf(Object.entries(fields).filter(([, value]) => value !== undefined));
