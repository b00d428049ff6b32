import { quoted, ToolError } from "./text.ts";

/** So many candidates are listed. */
const mostListed = 20;

/** The one that a caller names; the only one where none is named. Else an error lists candidates. */
export function pick<Item extends { publicId: string }>(
  kind: string,
  named: string | undefined,
  items: Item[],
  namesOf: (item: Item) => string[],
  more: (item: Item) => string = () => "",
): Item {
  const list = (some: Item[]) => {
    const shown = some.slice(0, mostListed).map((item) => {
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
  const folded = named.toLowerCase();
  const tests: ((item: Item) => boolean)[] = [
    ({ publicId }) => publicId === named,
    (item) => namesOf(item)[0] === named,
    (item) => namesOf(item).some((name) => name.toLowerCase() === folded),
  ];
  return tests.map((test) => items.filter(test)).find((some) => some.length > 0) ?? [];
}
