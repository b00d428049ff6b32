const most = 255;

/** A name as it may be shown and saved: what stands behind the last slash, without what is invisible or turns the text around. */
export function cleanName(given: string): string {
  const last = given.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const seen = last.replace(/[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/gu, "").trim();
  const characters = Array.from(/^\.*$/.test(seen) ? "file" : seen);
  if (characters.length <= most) return characters.join("");
  const extension = Array.from(/\.[^.\s]{1,20}$/u.exec(characters.join(""))?.[0] ?? "");
  return [...characters.slice(0, most - extension.length), ...extension].join("");
}
