type Store<Key, Value> = { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown };

/** Returns the value of a key, or inserts a new one. Node 20 has no `getOrInsertComputed`. */
export function getOrInsert<Key, Value>(
  map: Store<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const value = make();
  map.set(key, value);
  return value;
}

/** Groups rows by a key, in their order. Node 20 has no `Map.groupBy`. */
export function groupBy<Row, Key>(rows: Iterable<Row>, keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) getOrInsert(groups, keyOf(row), () => []).push(row);
  return groups;
}
