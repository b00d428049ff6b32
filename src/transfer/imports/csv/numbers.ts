/** Which sign separates decimals. */
type DecimalSign = "." | ",";

const signs = /^[^\d+\-.,]{0,8}([+-]?[\d.,' \u00A0\u202F]{1,60})[^\d.,]{0,16}$/u;

/** The digits of a number, without currency and unit; null for another text. */
function digitsIn(cell: string): string | null {
  const text = cell.trim();
  if (text.length > 80) return null;
  const negative = /^\((.*)\)$/.exec(text)?.[1] ?? /^(?:-|−)(.*)$/.exec(text)?.[1];
  const digits = signs.exec(negative ?? text)?.[1]?.replaceAll(/[ '\u00A0\u202F]/g, "");
  if (digits === undefined || !/\d/.test(digits)) return null;
  return negative === undefined ? digits : `-${digits}`;
}

/** Which sign a cell proves to separate decimals; null when it proves none. */
export function decimalSignIn(cell: string): DecimalSign | null {
  const digits = digitsIn(cell);
  if (digits === null) return null;
  const [comma, dot] = [digits.lastIndexOf(","), digits.lastIndexOf(".")];
  if (comma !== -1 && dot !== -1) return comma > dot ? "," : ".";
  const sign = comma === -1 ? "." : ",";
  const at = Math.max(comma, dot);
  if (at === -1) return null;
  if (digits.indexOf(sign) !== at) return sign === "," ? "." : ",";
  const isThousand = /^-?[1-9]\d{0,2}$/.test(digits.slice(0, at)) && digits.length - at === 4;
  return isThousand ? null : sign;
}

/** The number in a cell, as JavaScript writes it; null for another text. */
export function numberIn(cell: string, decimals: DecimalSign | null): string | null {
  if (/^\s*[-+]?\d{1,15}(?:\.\d+)?e[-+]?\d{1,3}\s*$/i.test(cell))
    return Number.isFinite(Number(cell)) ? cell.trim() : null;
  const digits = digitsIn(cell);
  if (digits === null) return null;
  // Alone, `1,200` is a thousand, and `1.200` a decimal: so programs write them.
  const sign = decimals ?? decimalSignIn(cell) ?? ".";
  const thousands = sign === "." ? "," : ".";
  const [whole = "", fraction, ...rest] = digits.split(sign);
  if (rest.length > 0 || fraction?.includes(thousands) === true) return null;
  if (!/^[-+]?\d*$/.test(whole) && !/^[-+]?\d{1,3}(?:[.,]\d{2,3})*[.,]\d{3}$/.test(whole))
    return null;
  const number = Number(`${whole.replaceAll(thousands, "") || "0"}.${fraction ?? "0"}`);
  return Number.isFinite(number) ? String(number) : null;
}

/** Collects which sign separates the decimals of a column; equal evidence for both proves none. */
export class DecimalEvidence {
  #counts = { ".": 0, ",": 0 };

  take(cell: string): void {
    const sign = decimalSignIn(cell);
    if (sign !== null) this.#counts[sign] += 1;
  }

  get sign(): DecimalSign | null {
    const { ".": dots, ",": commas } = this.#counts;
    if (dots === commas) return null;
    return dots > commas ? "." : ",";
  }
}
