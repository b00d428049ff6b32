/** Divides items into batches of at most `maxItems` and `maxBytes`; a larger item gets its own. */
export function* inBatches<Item>(
  items: Iterable<Item>,
  bytesOf: (item: Item) => number,
  { maxItems, maxBytes }: { maxItems: number; maxBytes: number },
): Generator<Item[]> {
  let [batch, size]: [Item[], number] = [[], 0];
  for (const item of items) {
    const itemSize = bytesOf(item);
    if (batch.length >= maxItems || (batch.length > 0 && size + itemSize > maxBytes)) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(item);
    size += itemSize;
  }
  if (batch.length > 0) yield batch;
}
