import type { Query } from "../../../platform/db/query.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { LookUp } from "./identity.ts";
import type { SourceCard } from "./source.ts";

/**
 * Cards of one list in the order of the source.
 *
 * `before` and `after` are the source ids of the neighbours that may have been imported before.
 */
export type CardSequence = { cards: SourceCard[]; before: string | null; after: string | null };

/** New cards between two cards that were imported before. */
export type CardGap = { cards: SourceCard[]; after: bigint | null; before: bigint | null };

/** Divides a sequence into the gaps between the cards that were imported before. */
export function gapsOf({ cards, before, after }: CardSequence, lookUp: LookUp): CardGap[] {
  const idOf = (sourceId: string | null) =>
    sourceId === null ? null : (lookUp("card", sourceId)?.targetId ?? null);
  const gaps: CardGap[] = [];
  let last = idOf(before);
  let open: CardGap | undefined;
  for (const card of cards) {
    const id = idOf(card.publicId);
    if (id === null) {
      open ??= gaps[gaps.push({ cards: [], after: last, before: idOf(after) }) - 1];
      open?.cards.push(card);
    } else {
      if (open !== undefined) open.before = id;
      open = undefined;
      last = id;
    }
  }
  return gaps;
}

/**
 * Positions for the cards of gaps in locked lists, gap by gap.
 *
 * New cards go after the card that precedes them in the source, or before the one that follows
 * them, wherever those are now; at the end of the list when neither is there.
 */
export async function positionsFor(
  query: Query,
  gaps: (CardGap & { listId: bigint })[],
): Promise<string[][]> {
  const rows = await query<{ positions: string[] }>(sql`
    WITH gap AS MATERIALIZED (
      SELECT gap.nth, gap.count, gap."listId", CASE WHEN a.position IS NOT NULL THEN a.position
          ELSE (SELECT max(c.position) FROM cards c
            WHERE c."listId" = gap."listId" AND c."deletedAt" IS NULL
              AND (b.position IS NULL OR c.position < b.position)) END AS low,
        CASE WHEN a.position IS NULL THEN b.position
          ELSE (SELECT min(c.position) FROM cards c
            WHERE c."listId" = gap."listId" AND c."deletedAt" IS NULL
              AND c.position > a.position) END AS high
      FROM unnest(${gaps.map(({ listId }) => listId)}::bigint[],
          ${gaps.map(({ after }) => after)}::bigint[],
          ${gaps.map(({ before }) => before)}::bigint[],
          ${gaps.map(({ cards }) => cards.length)}::int[])
        WITH ORDINALITY AS gap("listId", after, before, count, nth)
      LEFT JOIN cards a ON a.id = gap.after AND a."listId" = gap."listId" AND a."deletedAt" IS NULL
      LEFT JOIN cards b ON b.id = gap.before AND b."listId" = gap."listId" AND b."deletedAt" IS NULL),
    -- Gaps with the same neighbours share one run of positions.
    numbered AS (SELECT gap.nth, low, high,
        row_number() OVER (PARTITION BY "listId", low, high ORDER BY gap.nth, step) AS step,
        count(*) OVER (PARTITION BY "listId", low, high) AS steps
      FROM gap CROSS JOIN generate_series(1, gap.count) AS step)
    SELECT array_agg(${spread}::text ORDER BY step) AS positions
    FROM numbered GROUP BY nth ORDER BY nth`);
  const filled = rows.values();
  return gaps.map(({ cards }) =>
    cards.length === 0 ? [] : (filled.next().value?.positions ?? []),
  );
}

/** SQL: one of `steps` numbers between two, or behind or before one of them. */
const spread = sql`CASE WHEN high IS NULL THEN floor(coalesce(low, 0)) + step
    WHEN low IS NULL THEN ceil(high) - 1 - steps + step
    ELSE round(low + (high - low) * step / (steps + 1),
      greatest(0, ceil(-log((high - low) / (steps + 1)))::int + 1)) END`;
