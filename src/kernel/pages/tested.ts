type Keys = (string | null)[];

/** Rows of a page; `readTo` are the keys of the last row that was read, if not all were. */
export type TestedPage<Row> = { rows: Row[]; readTo?: Keys };

/** How long rows are tested for a page, in ms: half of what a statement may take. */
const maxMs = 2_000;

/** How many of the next rows can be tested in the time that is left: none when it is over. */
export function fitting(count: number, tested: number, startedAt: number): number {
  const ms = performance.now() - startedAt;
  return tested === 0 ? count : Math.min(count, Math.floor((tested * (maxMs - ms)) / ms));
}

/** How many rows are tested for a page, step by step. The first step reads what a page needs. */
const steps = [0, 400, 1_600, 3_000];

/**
 * Reads the rows of a page that pass a test; one row more shows that there is a next page.
 *
 * `read` returns the next rows after some keys, and whether they are the last. Where few pass, the
 * page ends when enough were tested, or when that has taken long.
 */
export async function readTested<Row extends { keys: Keys; passes: boolean }>(
  { limit, after }: { limit: number; after: Keys | null },
  read: (after: Keys | null, count: number) => Promise<{ rows: Row[]; isLast: boolean }>,
): Promise<TestedPage<Row>> {
  const passing: Row[] = [];
  const startedAt = performance.now();
  let last = after;
  let tested = 0;
  for (const step of steps) {
    const count = fitting(Math.max(step, limit + 1), tested, startedAt);
    if (count <= 0) break;
    const { rows, isLast } = await read(last, count);
    tested += rows.length;
    passing.push(...rows.filter(({ passes }) => passes));
    if (isLast || passing.length > limit) return { rows: passing };
    last = rows.at(-1)?.keys ?? last;
  }
  return last === null ? { rows: passing } : { rows: passing, readTo: last };
}
