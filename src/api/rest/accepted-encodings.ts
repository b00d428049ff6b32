/** The encoding that the header `Accept-Encoding` prefers of some; undefined for plain bytes. */
export function preferredEncoding<Name extends string>(
  header: string | undefined,
  offered: readonly Name[],
): Name | undefined {
  if (header === undefined) return undefined;
  const qualities = new Map(
    header.split(",").map((part) => {
      const [name = "", weight = "q=1"] = part.split(";").map((text) => text.trim().toLowerCase());
      return [name, Number(weight.replace("q=", ""))];
    }),
  );
  const qualityOf = (name: string) => qualities.get(name) ?? qualities.get("*") ?? 0;
  const [best] = offered.toSorted((one, other) => qualityOf(other) - qualityOf(one));
  if (best === undefined || !(qualityOf(best) > 0)) return undefined;
  return qualityOf(best) < (qualities.get("identity") ?? 0) ? undefined : best;
}
