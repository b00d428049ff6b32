import type { z } from "zod";
import { Failure } from "../../platform/errors.ts";

type Path = (string | number)[];

/** Where in the arguments of a tool the items of a field of its operation come from, if not by name. */
export type Places = Readonly<Record<string, readonly Path[]>>;

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
export function pathInTool(input: z.ZodObject, path: Path, places: Places = {}): Path {
  const [field, inner, ...rest] = path;
  if (typeof field !== "string") return path;
  const place = places[field]?.[Number(inner)];
  if (place !== undefined) return [...place];
  // The short filters of `card.next` are within its filter.
  if (field === "filter" && typeof inner === "string") {
    const filter = inner === "filter" ? inner : parameterOf(input, inner);
    if (filter !== undefined) return [filter, ...rest];
  }
  const parameter = parameterOf(input, field);
  return parameter === undefined ? path : [parameter, ...path.slice(1)];
}

/** A failure with the paths of its issues in the names of a tool. */
export function inNamesOfTool(
  error: unknown,
  input: z.ZodObject,
  places?: Places,
  at: Path = [],
): unknown {
  if (!(error instanceof Failure)) return error;
  const { failedAt, failure, issues, headers, cause } = error;
  const renamed = issues.map(({ path = [], ...issue }) => {
    return { ...issue, path: [...at, ...pathInTool(input, path, places)] };
  });
  return Object.assign(new Failure(failure, renamed, headers, cause), { failedAt });
}
