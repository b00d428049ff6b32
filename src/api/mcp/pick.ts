import { quoted, ToolError } from "./text.ts";
import { getOrInsert } from "../../platform/maps.ts";

/** How many candidates an error lists. */
const maxListed = 20;

/** Picks the item with a name or id, or the only one. Otherwise an error lists the candidates. */
export function pick<Item extends { publicId: string }>(
  kind: string,
  nameOrId: string | undefined,
  items: Item[],
  namesOf: (item: Item) => string[],
  detailOf: (item: Item) => string = () => "",
): Item {
  const listOf = (candidates: Item[]) => {
    const listed = candidates.slice(0, maxListed).map((item) => {
      const [name = ""] = namesOf(item);
      return [quoted(name, 20), `(${item.publicId})`, detailOf(item)].filter(Boolean).join(" ");
    });
    const unlisted = candidates.length - listed.length;
    return `${listed.join(", ")}${unlisted > 0 ? `, and ${unlisted} more` : ""}`;
  };
  const matching = nameOrId === undefined ? items : findMatches(nameOrId.trim(), items, namesOf);
  const [first] = matching;
  if (first !== undefined && matching.length === 1) return first;
  if (items.length === 0) throw new ToolError(`You can see no ${kind} there.`);
  if (nameOrId === undefined) throw new ToolError(`Name the ${kind}: ${listOf(items)}.`);
  if (first === undefined) {
    throw new ToolError(
      `No ${kind} is called ${quoted(nameOrId, 20)}. There is: ${listOf(items)}.`,
    );
  }
  throw new ToolError(
    `${matching.length} ${kind}s are called ${quoted(nameOrId, 20)}. Use an id: ${listOf(matching)}.`,
  );
}

/** Finds items by id, else by name, else by name in any case. */
function findMatches<Item extends { publicId: string }>(
  nameOrId: string,
  items: Item[],
  namesOf: (item: Item) => string[],
): Item[] {
  const positions = getOrInsert(indexes, items, () => indexOf(items, namesOf));
  const { ids, names, folded } = positions;
  const matching =
    ids.get(nameOrId) ?? names.get(nameOrId) ?? folded.get(nameOrId.toLowerCase()) ?? [];
  return matching.flatMap((at) => items[at] ?? []);
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
    for (const name of new Set(names.map((spelling) => spelling.toLowerCase())))
      add(index.folded, name, at);
  }
  return index;
}
