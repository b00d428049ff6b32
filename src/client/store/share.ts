/** The next value, with each part of the last one that is equal. Values are plain JSON. */
export function share<T>(last: unknown, next: T): T {
  if (last === next || !isObject(last) || !isObject(next)) return next;
  if (Array.isArray(last) !== Array.isArray(next)) return next;
  const names = Object.keys(next);
  let isSame = names.length === Object.keys(last).length;
  const shared: Record<string, unknown> = {};
  for (const name of names) {
    const known = last[name];
    const value = share(partOf(last, next, name), next[name]);
    shared[name] = value;
    if (value !== known) isSame = false;
  }
  if (isSame) return last as T;
  return (Array.isArray(next) ? names.map((name) => shared[name]) : shared) as T;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The part of the last value to compare: of resources by their id, of others by position. */
function partOf(
  last: Record<string, unknown>,
  next: Record<string, unknown>,
  name: string,
): unknown {
  const at = last[name];
  const id = idOf(next[name]);
  if (id === undefined || idOf(at) === id || !Array.isArray(last)) return at;
  return last.find((item) => idOf(item) === id);
}

const idOf = (value: unknown) => (isObject(value) ? value["publicId"] : undefined);
