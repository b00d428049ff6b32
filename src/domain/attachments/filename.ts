const maxLength = 255;

/**
 * A safe file name: the part after the last slash, without invisible and bidi characters.
 * A backslash is a separator on some systems, and becomes `_`.
 */
export function cleanName(given: string): string {
  const last = given.normalize("NFC").split("/").at(-1)?.replaceAll("\\", "_") ?? "";
  const visible = last.replace(/[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/gu, "").trim();
  const characters = Array.from(/^\.*$/.test(visible) ? "file" : visible);
  if (characters.length <= maxLength) return characters.join("");
  const extension = Array.from(/\.[^.\s]{1,20}$/u.exec(characters.join(""))?.[0] ?? "");
  return [...characters.slice(0, maxLength - extension.length), ...extension].join("");
}
