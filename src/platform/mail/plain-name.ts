const maxLength = 100;

/** A name of a user for mail: one short line. */
export function plainName(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.slice(0, maxLength).toWellFormed();
}
