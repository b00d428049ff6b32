import { isVisible, type Viewer } from "../../kernel/access/visibility.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { cardWith } from "../cards/filters.ts";
import type { Similar } from "./search-asked.ts";
import {
  boards,
  hits,
  isCapped,
  namedOf,
  prepared,
  preparedSimilar,
  similarOf,
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
  /** How many names have the words. */
  names: number;
};

/** The page of a search, after the keys of its last hit. */
export type PageOfSearch = {
  after: (string | null)[] | null;
  limit: number;
};

const ranked = ({ isPassing }: Search, type: HitType, found: Sql) => {
  // A sub-select, since a join could be planned as a scan of all cards.
  const passing =
    isPassing === null
      ? sql.empty
      : sql`WHERE (SELECT ${isPassing} FROM (SELECT) hit ${cardWith(cardOf[type])})`;
  return sql`SELECT ${names[type]} AS type, id, ${bonus[type]} + max(rank)::float8 AS rank
    FROM ${found} AS found ${passing} GROUP BY id`;
};
/** SQL: the id of the card of a hit `found`. */
const cardOf = {
  board: sql`NULL`,
  card: sql`found.id`,
  comment: sql`(SELECT co."cardId" FROM comments co WHERE co.id = found.id)`,
};
const names = { board: sql`'board'`, card: sql`'card'`, comment: sql`'comment'` };
const bonus = { board: sql`1`, card: sql`0`, comment: sql`0` };

const commas = (fragments: Sql[]) => sql.join(fragments, sql`, `);

/** SQL: how many names have the words of the query. */
const countNames = (types: readonly HitType[]) =>
  sql.join(
    types.map((type) =>
      type === "comment"
        ? sql`0`
        : sql`(SELECT count(DISTINCT id)::int FROM ${hits(type, "named")} WHERE rank >= 0.8)`,
    ),
    sql` + `,
  );

/**
 * Searches boards, cards and comments, best first. The caller may view at least one type. With
 * `similar`, names with these words are found too.
 *
 * Without a hit there is one row, which says whether some are missing.
 */
export function searchStatement(
  search: Search,
  { after, limit }: PageOfSearch,
  similar: readonly Similar[] | null = null,
): Sql {
  const { types } = search;
  const named = types.map(
    (type) => sql`${hits(type, "named")} AS MATERIALIZED (${namedOf[type](search)})`,
  );
  const alike =
    similar === null
      ? []
      : types.flatMap((type) =>
          type === "comment"
            ? []
            : [sql`${hits(type, "similar")} AS MATERIALIZED (${similarOf[type]})`],
        );
  const found = types.map((type) =>
    ranked(
      search,
      type,
      alike.length === 0 || type === "comment"
        ? hits(type, "named")
        : sql`(SELECT * FROM ${hits(type, "named")}
            UNION ALL SELECT * FROM ${hits(type, "similar")})`,
    ),
  );
  const capped = types.map((type) => isCapped(search, type, alike.length > 0));
  const more = similar === null ? [] : [preparedSimilar(search, similar)];
  return sql`WITH ${commas([boards(search), prepared(search), ...more, ...named, ...alike])},
  page AS MATERIALIZED (SELECT * FROM (${sql.join(found, sql` UNION ALL `)}) AS hits
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
    total."isCapped", total.names
  FROM (SELECT ${sql.join(capped, sql` OR `)} AS "isCapped", ${countNames(types)} AS names) AS total
  LEFT JOIN page ON true
  LEFT JOIN comments co ON page.type = 'comment' AND co.id = page.id
  LEFT JOIN cards c ON c.id = CASE page.type WHEN 'card' THEN page.id ELSE co."cardId" END
  LEFT JOIN boards b ON b.id = CASE page.type WHEN 'board' THEN page.id ELSE c."boardId" END
  LEFT JOIN workspaces w ON w.id = b."workspaceId"
  ORDER BY page.rank DESC, page.type DESC, page.id DESC`;
}

/** Finds the board that a search is limited to. */
export const boardStatement = (workspaceId: bigint, viewer: Viewer, publicId: string): Sql =>
  sql`SELECT b.id FROM boards b WHERE b."workspaceId" = ${workspaceId}
    AND b."deletedAt" IS NULL AND ${isVisible(viewer)} AND b."publicId" = ${publicId}`;
