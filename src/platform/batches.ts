/** Divides items into batches of so many items and bytes; a larger item comes alone. */
export function* inBatches<Item>(
  items: Iterable<Item>,
  bytesOf: (item: Item) => number,
  { maxItems, maxBytes }: { maxItems: number; maxBytes: number },
): Generator<Item[]> {
  let [batch, size]: [Item[], number] = [[], 0];
  for (const item of items) {
    const more = bytesOf(item);
    if (batch.length >= maxItems || (batch.length > 0 && size + more > maxBytes)) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(item);
    size += more;
  }
  if (batch.length > 0) yield batch;
}
