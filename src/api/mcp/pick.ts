import { quoted, ToolError } from "./text.ts";
import { getOrInsert } from "../../platform/maps.ts";

/** So many candidates are listed. */
const maxListed = 20;

/** The one that a caller names; the only one where none is named. Else an error lists candidates. */
export function pick<Item extends { publicId: string }>(
  kind: string,
  named: string | undefined,
  items: Item[],
  namesOf: (item: Item) => string[],
  more: (item: Item) => string = () => "",
): Item {
  const list = (some: Item[]) => {
    const shown = some.slice(0, maxListed).map((item) => {
      const [name = ""] = namesOf(item);
      return [quoted(name, 20), `(${item.publicId})`, more(item)].filter(Boolean).join(" ");
    });
    const rest = some.length - shown.length;
    return `${shown.join(", ")}${rest > 0 ? `, and ${rest} more` : ""}`;
  };
  const found = named === undefined ? items : matches(named.trim(), items, namesOf);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (items.length === 0) throw new ToolError(`You can see no ${kind} there.`);
  if (named === undefined) throw new ToolError(`Name the ${kind}: ${list(items)}.`);
  if (first === undefined) {
    throw new ToolError(`No ${kind} is called ${quoted(named, 20)}. There is: ${list(items)}.`);
  }
  throw new ToolError(
    `${found.length} ${kind}s are called ${quoted(named, 20)}. Use an id: ${list(found)}.`,
  );
}

/** The items with an id, else those with a name, else those with it in other capitals. */
function matches<Item extends { publicId: string }>(
  named: string,
  items: Item[],
  namesOf: (item: Item) => string[],
): Item[] {
  const positions = getOrInsert(indexes, items, () => indexOf(items, namesOf));
  const { ids, names, folded } = positions;
  const found = ids.get(named) ?? names.get(named) ?? folded.get(named.toLowerCase()) ?? [];
  return found.flatMap((at) => items[at] ?? []);
}

type Positions = Map<string, number[]>;
type Index = { ids: Positions; names: Positions; folded: Positions };

/** A batch may name thousands of labels of one board: its labels are indexed once. */
const indexes = new WeakMap<object, Index>();

function indexOf<Item extends { publicId: string }>(
  items: Item[],
  namesOf: (item: Item) => string[],
): Index {
  const index: Index = { ids: new Map(), names: new Map(), folded: new Map() };
  const add = (to: Positions, key: string, at: number) => getOrInsert(to, key, () => []).push(at);
  for (const [at, item] of items.entries()) {
    const names = namesOf(item);
    add(index.ids, item.publicId, at);
    add(index.names, names[0] ?? "", at);
    for (const name of new Set(names.map((one) => one.toLowerCase()))) add(index.folded, name, at);
  }
  return index;
}
