type Store<Key, Value> = { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown };

/** The value of a key, which `make` makes at its first use. Node 20 has no `getOrInsertComputed`. */
export function getOrInsert<Key, Value>(
  map: Store<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  const stored = map.get(key);
  if (stored !== undefined) return stored;
  const made = make();
  map.set(key, made);
  return made;
}

/** Rows by a key, in their order. Node 20 has no `Map.groupBy`. */
export function groupBy<Row, Key>(rows: Iterable<Row>, keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) getOrInsert(groups, keyOf(row), () => []).push(row);
  return groups;
}
