import anyAscii from "any-ascii";
import { customAlphabet } from "nanoid";

/** Slugs that would be taken for a path or a place of the service. */
export const reservedSlugs: readonly string[] = [
  "by-slug",
  "check-slug-availability",
  "api",
  "admin",
  "docs",
  "trpc",
  "health",
  "settings",
  "login",
  "new",
];

const suffix = customAlphabet("0123456789abcdefghijklmnopqrstuvwxyz", 6);
const longest = 64;

/** A name in ASCII; pictures are no letters, so they are not spelled out. */
const ascii = (name: string) =>
  anyAscii(name.replace(/[\p{Extended_Pictographic}\p{Regional_Indicator}]/gu, " "));

/** Slugs to try for a name, best first: its letters transliterated where possible, then with a random suffix. */
export function slugsFor(name: string): string[] {
  const base = ascii(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longest - 7)
    .replace(/^-+|-+$/g, "");
  const random = () => (base === "" ? suffix() : `${base}-${suffix()}`);
  const plain = base.length < 3 || reservedSlugs.includes(base) ? [] : [base];
  return [...plain, random(), random(), random()];
}

/** The prefix of a workspace's card numbers, from its name: three characters of one word, or up to four initials. */
export function prefixFor(name: string): string {
  const words = ascii(name)
    .toUpperCase()
    .split(/\s+/)
    .map((word) => word.replace(/[^A-Z0-9]/g, ""))
    .filter((word) => word !== "");
  const [first, ...others] = words;
  if (first === undefined) return "WS";
  return others.length === 0
    ? first.slice(0, 3)
    : words
        .slice(0, 4)
        .map((word) => word.slice(0, 1))
        .join("");
}
