import type { z } from "zod";
import type { Query } from "../../platform/db/query.ts";
import { assemble, summaryColumns, type CardListRow } from "./assemble.ts";
import type { SummaryRow } from "../parts/part.ts";
import type { CardSummary } from "../../contract/resources/cards.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { maxSummaries, summaries } from "./parts-sql.ts";

type Summary = z.infer<typeof CardSummary>;
/** The most bytes of parts in one answer. */
const maxBytes = 4 * 1024 * 1024;
const bytesPerRow = 100;
/** The labels and members that a card shows on a page whose parts exceed these limits. */
const maxPerCard = 20;

const summariesOfCards = (ids: bigint[]) => summaries(sql`c.id = ANY(${ids}::bigint[])`);
/** Each card's first parts of each kind, for cards with too many of them. */
const firstSummaries = (ids: bigint[]) => sql`SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "cardId", kind ORDER BY name, "publicId") AS nth
    FROM (${summaries(sql`c.id = ANY(${ids}::bigint[])`, sql`ALL`)}) related) numbered
  WHERE nth <= ${sql.number(maxPerCard)} ORDER BY "cardId", kind, nth`;
/**
 * SQL: the indexes of the cards `c`, which count all cards of their lists that are not archived.
 *
 * From card to card, the index of positions alone is read. It is counted once, also where
 * PostgreSQL expects few cards and would join them in a loop.
 */
export const indexesOf = (isCard: Sql) => sql`WITH counted AS MATERIALIZED (
  SELECT id, CASE WHEN "isLive"
    THEN sum(added) OVER (PARTITION BY "listId" ORDER BY position)::bigint - 1 END AS index
  FROM (SELECT s.*, (SELECT count(*) FROM cards o WHERE o."listId" = s."listId"
      AND o."deletedAt" IS NULL AND o."archivedAt" IS NULL
      AND o.position > coalesce(s.previous, '-infinity') AND o.position <= s.position) AS added
    FROM (SELECT c.id, c."listId", c.position,
        c."archivedAt" IS NULL AND c."deletedAt" IS NULL AS "isLive",
        lag(c.position) OVER (PARTITION BY c."listId" ORDER BY c.position) AS previous
      FROM cards c WHERE ${isCard}) s) s)
  SELECT * FROM counted`;
const cardsById = (ids: bigint[]) => sql`SELECT ${summaryColumns}, indexed.index FROM cards c
  JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
  JOIN (${indexesOf(sql`c.id = ANY(${ids}::bigint[])`)}) indexed ON indexed.id = c.id
  WHERE c.id = ANY(${ids}::bigint[])`;

/** The first card whose parts do not fit into an answer; null when all fit. */
export function endOfSummaries(related: SummaryRow[]): bigint | null {
  let bytes = 0;
  for (const { cardId, name, extra } of related) {
    bytes += bytesPerRow + (name?.length ?? 0) + (extra?.length ?? 0);
    if (bytes > maxBytes) return cardId;
  }
  return related.length < maxSummaries ? null : (related.at(-1)?.cardId ?? null);
}

/** The summaries of cards, in the order of their ids, in two queries. */
export async function summariesOf(query: Query, ids: bigint[]): Promise<Summary[]> {
  if (ids.length === 0) return [];
  const [rows, summaryRows] = await Promise.all([
    query<CardListRow>(cardsById(ids)),
    query<SummaryRow>(summariesOfCards(ids)),
  ]);
  const related =
    endOfSummaries(summaryRows) === null
      ? summaryRows
      : await query<SummaryRow>(firstSummaries(ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ordered = ids.flatMap((id) => byId.get(id) ?? []);
  return assemble(ordered, related);
}

type Place = { publicId: string; boardPublicId: string; workspacePublicId: string };

/** The summaries of cards of several boards, with their boards, in the order of their ids. */
export async function summariesOnBoards(query: Query, ids: bigint[]): Promise<(Summary & Place)[]> {
  const [shown, places] = await Promise.all([
    summariesOf(query, ids),
    query<Place>(sql`SELECT c."publicId", b."publicId" AS "boardPublicId",
        w."publicId" AS "workspacePublicId"
      FROM cards c JOIN boards b ON b.id = c."boardId" JOIN workspaces w ON w.id = c."workspaceId"
      WHERE c.id = ANY(${ids}::bigint[])`),
  ]);
  const byCard = new Map(places.map((place) => [place.publicId, place]));
  return shown.flatMap((card) => {
    const place = byCard.get(card.publicId);
    return place === undefined ? [] : [{ ...card, ...place }];
  });
}
