/** Which encodings the header `Accept-Encoding` accepts. */
export function acceptedEncodings(header: string): (name: string) => boolean {
  const quality = new Map(
    header.split(",").map((part) => {
      const [name = "", weight = "q=1"] = part.split(";").map((text) => text.trim().toLowerCase());
      return [name, Number(weight.replace("q=", ""))];
    }),
  );
  return (name) => (quality.get(name) ?? quality.get("*") ?? 0) > 0;
}
