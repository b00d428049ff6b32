/** How many letters must be added, removed or replaced to make one text of another. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [nth, letter] of Array.from(one).entries()) {
    const next = [nth + 1];
    for (const [at, otherLetter] of Array.from(other).entries()) {
      const [left = 0, above = 0, before = 0] = [next[at], row[at + 1], row[at]];
      next.push(Math.min(left + 1, above + 1, before + (letter === otherLetter ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The known name that a wrong one most resembles; undefined if a third of it differs. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((other) => ({ other, edits: editsBetween(name.toUpperCase(), other.toUpperCase()) }))
    .filter(({ edits }) => edits <= Math.max(2, name.length / 3))
    .toSorted((one, other) => one.edits - other.edits);
  return best?.other;
}
