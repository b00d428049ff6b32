import { isVisible, type Viewer } from "../../kernel/access/visibility.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { cardWith } from "../cards/filters.ts";
import {
  matchesOf,
  maxNamed,
  maxSimilar,
  prepared,
  type HitType,
  type Search,
} from "./search-matches.ts";

/** A row of the search result with its sort keys. */
export type Hit = {
  type: HitType;
  publicId: string;
  title: string;
  excerpt: string;
  cardNumber: string | null;
  cardPublicId: string | null;
  boardPublicId: string;
  boardName: string;
  keys: string[];
};

/** A row of the result, or the only one if there is none. */
export type Row = (Hit | { type: null }) & {
  /** Whether more hits of a type match than are ranked. */
  isCapped: boolean;
};

/** The page of a search, after the keys of its last hit. */
export type PageOfSearch = {
  after: (string | null)[] | null;
  limit: number;
};

const ranked = (type: HitType, { isPassing }: Search) => {
  const [named, similar] = [sql.identifier(`${type}_named`), sql.identifier(`${type}_similar`)];
  // A sub-select, since a join could be planned as a scan of all cards.
  const passing =
    isPassing === null
      ? sql.empty
      : sql`WHERE (SELECT ${isPassing} FROM (SELECT) hit ${cardWith(cardOf[type])})`;
  return sql`SELECT ${names[type]} AS type, id, ${bonus[type]} + max(rank)::float8 AS rank
    FROM (SELECT * FROM ${named} UNION ALL SELECT * FROM ${similar}) AS found ${passing}
    GROUP BY id`;
};
/** SQL: the id of the card of a hit `found`. */
const cardOf = {
  board: sql`NULL`,
  card: sql`found.id`,
  comment: sql`(SELECT co."cardId" FROM comments co WHERE co.id = found.id)`,
};
const names = { board: sql`'board'`, card: sql`'card'`, comment: sql`'comment'` };
const bonus = { board: sql`1`, card: sql`0`, comment: sql`0` };

const isCapped = (type: HitType, search: Search) =>
  sql`(SELECT count(*) FROM ${sql.identifier(`${type}_named`)}) >= ${maxNamed(search)}
    OR (SELECT count(*) FROM ${sql.identifier(`${type}_similar`)}) >= ${maxSimilar}`;

/**
 * Searches boards, cards and comments, best first. The caller may view at least one type.
 *
 * Without a hit there is one row, which says whether some are missing.
 */
export const searchStatement = (search: Search, { after, limit }: PageOfSearch): Sql => {
  const list = (part: (type: HitType, search: Search) => Sql, separator: Sql) =>
    sql.join(
      search.types.map((type) => part(type, search)),
      separator,
    );
  const hits = (part: "named" | "similar") => (type: HitType) =>
    sql`${sql.identifier(`${type}_${part}`)} AS MATERIALIZED (${matchesOf[type](search)[part]})`;
  return sql`WITH ${prepared(search)},
  ${list(hits("named"), sql`, `)}, ${list(hits("similar"), sql`, `)},
  page AS MATERIALIZED (SELECT * FROM (${list(ranked, sql` UNION ALL `)}) AS hits
    WHERE ${after}::text[] IS NULL OR (rank, type, id)
      < ((${after}::text[])[1]::float8, (${after}::text[])[2], (${after}::text[])[3]::bigint)
    ORDER BY rank DESC, type DESC, id DESC LIMIT ${limit})
  SELECT page.type, coalesce(co."publicId", c."publicId", b."publicId") AS "publicId",
    coalesce(c.title, b.name) AS title,
    left(CASE page.type WHEN 'comment' THEN co.comment WHEN 'card' THEN coalesce(c.description, '')
      ELSE coalesce(b.description, '') END, 200) AS excerpt,
    w."cardPrefix" || '-' || c.number AS "cardNumber", c."publicId" AS "cardPublicId",
    b."publicId" AS "boardPublicId", b.name AS "boardName",
    ARRAY[page.rank::text, page.type, page.id::text] AS keys,
    capped."isCapped"
  FROM (SELECT ${list(isCapped, sql` OR `)} AS "isCapped") AS capped LEFT JOIN page ON true
  LEFT JOIN comments co ON page.type = 'comment' AND co.id = page.id
  LEFT JOIN cards c ON c.id = CASE page.type WHEN 'card' THEN page.id ELSE co."cardId" END
  LEFT JOIN boards b ON b.id = CASE page.type WHEN 'board' THEN page.id ELSE c."boardId" END
  LEFT JOIN workspaces w ON w.id = b."workspaceId"
  ORDER BY page.rank DESC, page.type DESC, page.id DESC`;
};

/** Finds the board that a search is limited to. */
export const boardStatement = (workspaceId: bigint, viewer: Viewer, publicId: string): Sql =>
  sql`SELECT b.id FROM boards b WHERE b."workspaceId" = ${workspaceId}
    AND b."deletedAt" IS NULL AND ${isVisible(viewer)} AND b."publicId" = ${publicId}`;
