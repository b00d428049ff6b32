import { failure } from "../../platform/errors.ts";

/** How exactly a media range names a type: 0 is another type. */
function precisionOf(range: string, type: string): number {
  if (range === type) return 3;
  if (type === "application/json" && /^application\/[\w.-]+\+json$/.test(range)) return 3;
  if (range === `${type.split("/")[0]}/*`) return 2;
  return range === "*/*" ? 1 : 0;
}

/** The quality in the parameters of a media range. */
function qualityOf(parameters: readonly string[]): number {
  const text = parameters.map((one) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(one)?.[1]).find(Boolean);
  return Number(text ?? 1);
}

/** Whether an `Accept` header admits a type: its most precise range decides (RFC 9110). */
export function accepts(type: string, header = "*/*"): boolean {
  if (header === "*/*" || header === type) return true;
  let [precision, quality] = [0, 0];
  // Quoted parameters can contain commas. One that does not end is all the rest.
  const ranges = header.replace(/"(?:[^"\\]|\\.?)*"?/g, "").split(",");
  for (const range of ranges) {
    const [name = "", ...parameters] = range.split(";");
    const own = precisionOf(name.trim().toLowerCase(), type);
    if (own === 0 || own < precision) continue;
    quality = Math.max(own === precision ? quality : 0, qualityOf(parameters));
    precision = own;
  }
  return quality > 0 || ranges.every((range) => range.trim() === "");
}

/**
 * 406 for a client whose `Accept` header allows no type of these, and no JSON. Generated clients
 * of an operation whose errors are JSON name only that type, also where they expect a file.
 */
export function checkAccepts(types: readonly string[], header: string | undefined): void {
  if (types.length === 0) return;
  if ([...types, "application/json"].some((type) => accepts(type, header))) return;
  throw failure("not_acceptable", `The service answers with ${types.join(" or ")}.`);
}
