/** How exactly a media range names JSON: 0 is another type. */
function precisionOf(range: string): number {
  if (/^application\/(?:json|[\w.-]+\+json)$/i.test(range)) return 3;
  if (/^application\/\*$/i.test(range)) return 2;
  return range === "*/*" ? 1 : 0;
}

/** The quality in the parameters of a media range. */
function qualityOf(parameters: readonly string[]): number {
  const text = parameters.map((one) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(one)?.[1]).find(Boolean);
  return Number(text ?? 1);
}

/** Whether an `Accept` header admits JSON: its most precise range decides (RFC 9110). */
export function acceptsJson(header = "*/*"): boolean {
  if (header === "*/*" || header === "application/json") return true;
  let [precision, quality] = [0, 0];
  // Quoted parameters can contain commas. One that does not end is all the rest.
  const ranges = header.replace(/"(?:[^"\\]|\\.?)*"?/g, "").split(",");
  for (const range of ranges) {
    const [type = "", ...parameters] = range.split(";");
    const own = precisionOf(type.trim());
    if (own === 0 || own < precision) continue;
    quality = Math.max(own === precision ? quality : 0, qualityOf(parameters));
    precision = own;
  }
  return quality > 0 || ranges.every((range) => range.trim() === "");
}
