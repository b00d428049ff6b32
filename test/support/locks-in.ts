/** A lock that a statement takes on rows of a table. */
export type Lock = {
  table: string;
  /** An insert makes rows of its transaction's own; the others may wait for the rows. */
  by: "lock" | "write" | "insert";
  /** Whether one row is locked, or rows in the order of their ids. */
  isOrdered: boolean;
  /** Whether the statement fails instead of waiting. */
  isRefused?: true;
};

const name = `(?:"?public"?\\.)?"?(\\w+)"?`;
const written = new RegExp(`(UPDATE|DELETE FROM|INSERT INTO) (?:ONLY )?${name}`, "g");
const locking =
  /FOR (?:NO KEY )?(?:UPDATE|SHARE)(?: OF ([\w", ]+?))?(?! ?OF)(?=$| SKIP| NOWAIT|\))/;
const keyword = "WHERE|JOIN|ORDER|FOR|ON|LEFT|CROSS|LIMIT";
const source = new RegExp(`(?:FROM|JOIN) ${name}(?: AS)?(?: (?!${keyword})"?(\\w+)"?)?`, "g");
const isOne = /LIMIT 1\b|(?:\b(?:id|name|email)|"publicId"|"tokenHash") = [$(]/;

/** The locks that a statement takes, what is in parentheses first. */
export function locksIn(text: string): Lock[] {
  const locks: Lock[] = [];
  const own = (start: number): [string, number] => {
    let level = "";
    let at = start;
    while (at < text.length && text[at] !== ")") {
      if (text[at] !== "(") {
        level += text[at++];
        continue;
      }
      const [inner, end] = own(at + 1);
      // The condition of a simple lock may be in parentheses.
      level += `(${inner.includes(" ") ? "" : inner})`;
      at = end + 1;
    }
    locks.push(...locksOf(level.trim()));
    return [level, at];
  };
  own(0);
  return locks;
}

/** The locks of a statement without its parentheses. */
function locksOf(level: string): Lock[] {
  const locked = locking.exec(level);
  const lockable = level.replace(/FOR (NO KEY )?UPDATE/g, "").replace(/DO UPDATE/g, "");
  const writes = [...lockable.matchAll(written)].map(([, verb, table = ""]): Lock => {
    return { table, by: verb === "INSERT INTO" ? "insert" : "write", isOrdered: true };
  });
  // What is skipped is not waited for.
  if (locked === null || /SKIP LOCKED/.test(level)) return writes;
  const refused = /NOWAIT/.test(level) ? { isRefused: true as const } : {};
  const of = locked[1]?.replaceAll('"', "").split(/, ?/);
  const isOrdered = isOne.test(level) || /ORDER BY [\w."]*\bid\b/.test(level);
  const sources = [...level.matchAll(source)].map(([, table = "", alias = table]) => {
    return { table, alias };
  });
  const named = sources.filter(({ alias }) => of === undefined || of.includes(alias));
  const locks = named.map(({ table }): Lock => ({ table, by: "lock", isOrdered, ...refused }));
  return [...locks, ...writes];
}
