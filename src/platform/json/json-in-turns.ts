import type { LoopTurns } from "../loop-turns.ts";

/** How deep the parts are that are written at once: cards, in the lists of a board. */
const maxDepth = 4;

/** Writes a value as `JSON.stringify` does, in turns of the event loop. */
export async function jsonInTurns(value: unknown, turns: LoopTurns): Promise<string> {
  const texts: string[] = [];
  const write = async (part: unknown, depth: number): Promise<void> => {
    await turns.next();
    const isParted = depth < maxDepth && typeof part === "object" && part !== null;
    if (!isParted || "toJSON" in part) {
      // An item without a value is null; a field without one is left out before.
      texts.push(JSON.stringify(part) ?? "null");
      return;
    }
    const isArray = Array.isArray(part);
    texts.push(isArray ? "[" : "{");
    let isFirst = true;
    for (const [key, inner] of Object.entries(part)) {
      if (!isArray && inner === undefined) continue;
      if (!isFirst) texts.push(",");
      isFirst = false;
      if (!isArray) texts.push(JSON.stringify(key), ":");
      await write(inner, depth + 1);
    }
    texts.push(isArray ? "]" : "}");
  };
  await write(value, 0);
  return texts.join("");
}
