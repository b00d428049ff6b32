import { setImmediate } from "node:timers/promises";

/** How many items are sorted or merged before other calls are served. */
const slice = 1_000;

type Compare<Item> = (one: Item, other: Item) => number;

/** Sorts many items in slices: other calls are served between them. Equal items stay in order. */
export async function sortInSlices<Item extends object>(
  items: readonly Item[],
  compare: Compare<Item>,
): Promise<Item[]> {
  let runs: Item[][] = [];
  for (let start = 0; start < items.length; start += slice) {
    if (start > 0) await setImmediate();
    runs.push(items.slice(start, start + slice).toSorted(compare));
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let nth = 0; nth < runs.length; nth += 2) {
      merged.push(await merge(runs[nth] ?? [], runs[nth + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<Item extends object>(
  left: readonly Item[],
  right: readonly Item[],
  compare: Compare<Item>,
): Promise<Item[]> {
  const merged: Item[] = [];
  for (let [nth, mth] = [0, 0]; ;) {
    const [first, second] = [left[nth], right[mth]];
    if (first === undefined || second === undefined) {
      return merged.concat(left.slice(nth), right.slice(mth));
    }
    const isFirst = compare(first, second) <= 0;
    merged.push(isFirst ? first : second);
    if (isFirst) nth++;
    else mth++;
    if (merged.length % slice === 0) await setImmediate();
  }
}
