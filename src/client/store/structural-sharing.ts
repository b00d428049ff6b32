/** What each value was shared as: a board is compared again only where it is new. */
const shares = new WeakMap<object, unknown>();

/** The next value, with each part of the last one that is equal. Values are plain JSON. */
export function structuralShare<T>(last: unknown, next: T): T {
  if (last === next || !isObject(last) || !isObject(next)) return next;
  if (shares.get(next) === last) return last as T;
  const names = Object.keys(next);
  let isSame = names.length === Object.keys(last).length;
  const shared = (Array.isArray(next) ? [] : {}) as Record<string, unknown>;
  // Resources are compared by their id, others by position.
  const byId = Array.isArray(last) ? new Map(last.map((item) => [idOf(item), item])) : undefined;
  for (const name of names) {
    const id = idOf(next[name]);
    const lastItem = id === undefined || byId === undefined ? last[name] : byId.get(id);
    shared[name] = structuralShare(lastItem, next[name]);
    if (shared[name] !== last[name]) isSame = false;
  }
  const result = isSame ? last : shared;
  shares.set(next, result);
  return result as T;
}

const isObject = (value: unknown): value is Record<string, unknown> => Object(value) === value;
const idOf = (value: unknown) => (value as { publicId?: string } | null | undefined)?.publicId;
