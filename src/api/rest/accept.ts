import { failure } from "../../platform/errors.ts";

/** How precisely a media range matches a type; 0 if it does not. */
function precisionOf(range: string, type: string): number {
  if (range === type) return 3;
  if (type === "application/json" && /^application\/[\w.-]+\+json$/.test(range)) return 3;
  if (range === `${type.split("/")[0]}/*`) return 2;
  return range === "*/*" ? 1 : 0;
}

/** The quality in the parameters of a media range. */
function qualityOf(parameters: readonly string[]): number {
  const text = parameters
    .map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(parameter)?.[1])
    .find(Boolean);
  return Number(text ?? 1);
}

/** Whether an `Accept` header admits a type: its most precise range decides (RFC 9110). */
export function accepts(type: string, header = "*/*"): boolean {
  if (header === "*/*" || header === type) return true;
  let [precision, quality] = [0, 0];
  // Quoted parameters can contain commas. An unterminated one extends to the end.
  const ranges = header.replace(/"(?:[^"\\]|\\.?)*"?/g, "").split(",");
  for (const range of ranges) {
    const [name = "", ...parameters] = range.split(";");
    const rangePrecision = precisionOf(name.trim().toLowerCase(), type);
    if (rangePrecision === 0 || rangePrecision < precision) continue;
    quality = Math.max(rangePrecision === precision ? quality : 0, qualityOf(parameters));
    precision = rangePrecision;
  }
  return quality > 0 || ranges.every((range) => range.trim() === "");
}

/**
 * 406 if the `Accept` header allows none of the types, and no JSON. Generated clients may name only
 * JSON, the type of errors, although they expect a file.
 */
export function checkAccepts(types: readonly string[], header: string | undefined): void {
  if (types.length === 0) return;
  if ([...types, "application/json"].some((type) => accepts(type, header))) return;
  throw failure("not_acceptable", `The service answers with ${types.join(" or ")}.`);
}
