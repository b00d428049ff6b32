/** What each value was shared as: a board is compared again only where it is new. */
const shares = new WeakMap<object, unknown>();

/** The next value, with each part of the last one that is equal. Values are plain JSON. */
export function structuralShare<T>(last: unknown, next: T): T {
  if (last === next || !isObject(last) || !isObject(next)) return next;
  if (shares.get(next) === last) return last as T;
  const names = Object.keys(next);
  let isSame = names.length === Object.keys(last).length;
  const shared = (Array.isArray(next) ? [] : {}) as Record<string, unknown>;
  for (const name of names) {
    const known = last[name];
    const value = structuralShare(partOf(last, next, name), next[name]);
    shared[name] = value;
    if (value !== known) isSame = false;
  }
  const result = isSame ? last : shared;
  shares.set(next, result);
  return result as T;
}

const isObject = (value: unknown): value is Record<string, unknown> => Object(value) === value;

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

const idOf = (value: unknown) => (value as { publicId?: string } | null | undefined)?.publicId;
