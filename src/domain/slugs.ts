import anyAscii from "any-ascii";
import { customAlphabet } from "nanoid";
import { conflict } from "../platform/errors.ts";
import { withoutMemberIds } from "./mentions.ts";

const reserved = new Set([
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
]);

/** Whether a slug conflicts with paths of the service. */
export const isReserved = (slug: string): boolean => reserved.has(slug.toLowerCase());

const suffix = customAlphabet("0123456789abcdefghijklmnopqrstuvwxyz", 6);
const maxLength = 64;

/**
 * A name in ASCII, without the ids of mentioned members, and without emoji: their transliteration
 * would be their name in words.
 */
const ascii = (name: string) =>
  anyAscii(
    withoutMemberIds(name).replace(/[\p{Extended_Pictographic}\p{Regional_Indicator}]/gu, " "),
  );

/** Slugs with random suffixes: a collision would show that another resource exists. */
export const hiddenSlugsFor = (name: string): string[] => slugsFor(name).slice(-3);

/** Whether a slug is a name with a random suffix already. */
export const isHiddenSlugFor = (name: string, slug: string): boolean =>
  hiddenSlugsFor(name).some(
    (hiddenSlug) => hiddenSlug.slice(0, -6) === slug.slice(0, -6).toLowerCase(),
  );

/** Candidate slugs for a name, best first; all but the first have a random suffix. */
export function slugsFor(name: string): string[] {
  const base = ascii(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxLength - 7)
    .replace(/^-+|-+$/g, "");
  const random = () => (base === "" ? suffix() : `${base}-${suffix()}`);
  const plain = base.length < 3 || isReserved(base) ? [] : [base];
  return [...plain, random(), random(), random()];
}

/** The card prefix for a workspace name: three characters of one word, or up to four initials. */
export function prefixFor(name: string): string {
  const words = ascii(name)
    .toUpperCase()
    .split(/\s+/)
    .map((word) => word.replace(/[^A-Z0-9]/g, ""))
    .filter((word) => word !== "");
  const [first, ...otherWords] = words;
  if (first === undefined) return "WS";
  return otherWords.length === 0
    ? first.slice(0, 3)
    : words
        .slice(0, 4)
        .map((word) => word.slice(0, 1))
        .join("");
}

/** 409: another resource has the slug. */
export const slugTaken = (slug = "") =>
  conflict("slug_taken", `The slug "${slug}" is taken. Choose another one.`, ["slug"]);

/** 409: the service reserves the slug. */
export const slugReserved = (slug = "") =>
  conflict("slug_reserved", `The slug "${slug}" is reserved. Choose another one.`, ["slug"]);
