import type { z } from "zod";

/** The last word of a name: `Item` of `checklistItem`. */
const lastWord = (name: string) => name.replace(/^.*(?=[A-Z])/, "").toLowerCase();

/** What a tool may call a field of an operation: its own name first. */
function namesOf(field: string): string[] {
  const thing = field.replace(/Public(Ids?)$/, (_, id: string) => (id === "Ids" ? "s" : ""));
  const word = thing.replace(/Code$/, "");
  const place = /^(?:before|after)(?=[A-Z])/.exec(thing)?.[0];
  return [field, place ?? [], `${word}Id`, word, word.replace(/s$/, ""), lastWord(word)].flat();
}

/** The parameter of a tool that a field of an operation comes from; undefined if none does. */
export function parameterOf(input: z.ZodObject, field: string): string | undefined {
  return namesOf(field).find((name) => Object.hasOwn(input.shape, name));
}

/** The path of an issue in the names of a tool. */
export function pathInTool(input: z.ZodObject, path: (string | number)[]): (string | number)[] {
  const [field, inner, ...rest] = path;
  if (typeof field !== "string") return path;
  // The short filters of `card.next` are within its filter.
  if (field === "filter" && typeof inner === "string") {
    const filter = inner === "filter" ? inner : parameterOf(input, inner);
    if (filter !== undefined) return [filter, ...rest];
  }
  const parameter = parameterOf(input, field);
  return parameter === undefined ? path : [parameter, ...path.slice(1)];
}
