const dots = /[.\u3002\uFF0E\uFF61](?=\p{L}[\p{L}\d-])/gu;
const schemes = /(?<=\p{L}):(?=\S)/gu;

/**
 * Text in which mail programs find no web address, domain or UNC path to turn into a link.
 *
 * The strings in `verbatim` stay unchanged: our own addresses, codes and tokens.
 */
export function unlink(text: string, verbatim: readonly string[] = []): string {
  const [first, ...others] = verbatim.filter((one) => one !== "");
  if (first === undefined) return breakLinks(text);
  return text
    .split(first)
    .map((part) => unlink(part, others))
    .join(first);
}

const breakLinks = (text: string) =>
  text
    .replace(schemes, ": ")
    .replace(/([/\\])(?=\1)/g, "$1 ")
    .replace(dots, "$&\u0020");
