import { indexOf } from "../../kernel/positions.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { countColumns } from "../parts/counts.ts";
import { partsOfCards, thingsOf, type Sees } from "../parts/things.ts";

/** The most bytes of checklist items that a card shows. */
export const maxItemBytes = 8 * 1024 * 1024;
/** The most that a read shows of them without its turn. */
export const smallItemBytes = 256 * 1024;

/** What a card alone shows of a part. Its statement reads one column of JSON. */
type DetailPart = {
  column: string;
  /** The column of the card that says whether any are on it, of a part that is read apart. */
  flag: string | undefined;
  read: (cardId: Sql, itemBytes: number, sees: Sees) => Sql;
  /** What was read, as things. `api` is the address of REST. */
  things(this: void, read: unknown, api: string): object[];
  /** How a card shows them, if not as a list. */
  together(this: void, things: object[]): object;
  /** Whether a card has more of them than `itemBytes` let be read. */
  isCut(this: void, things: object[]): boolean;
};

/** What a card alone shows of each part, but for its counts, by the column that its statement reads. */
export const detailParts = partsOfCards.flatMap(({ name: column, part, places }): DetailPart[] => {
  if ("count" in part.summary && !Object.hasOwn(places.detail ?? {}, column)) return [];
  const { json, show } = thingsOf(part);
  const { limited, together = (things: object[]) => things } = part.rows ?? {};
  // Most cards have labels or members: looking for names costs less than a second statement.
  const isApart = part.rows !== undefined && !("count" in part.summary);
  const [flag] = isApart ? Object.keys(part.kept.columns) : [];
  return [
    {
      column,
      flag,
      read: (cardId, itemBytes, sees) => limited?.json(cardId, itemBytes) ?? json(cardId, sees),
      things: show,
      together,
      isCut: (things) => limited?.isCut(things) ?? false,
    },
  ];
});

/** The parts that are looked for on every card. */
export const unflaggedParts = detailParts.filter(({ flag }) => flag === undefined);

/** The parts that are read apart, and are on a card by its row. */
export const flaggedPartsOn = (card: Readonly<Record<string, unknown>>): DetailPart[] =>
  detailParts.filter(({ flag }) => flag !== undefined && card[flag] === true);

/** SQL: the alias of a card, its claim, the id of the caller, and the boards that they see. */
type Ids = Record<"card" | "userId" | "claim", Sql> & { sees: Sees };

/** SQL: the things of parts on a card, in columns whose names begin with a prefix. */
export const columnsOf = (
  parts: readonly DetailPart[],
  { card, sees }: Pick<Ids, "card" | "sees">,
  { itemBytes, prefix = "" }: { itemBytes: number; prefix?: string },
): Sql =>
  sql.join(
    parts.map(
      ({ column, read }) =>
        sql`${read(sql`${card}.id`, itemBytes, sees)} AS ${sql.identifier(prefix + column)}`,
    ),
    sql`, `,
  );

/** SQL: selects parts of a card, and what a card alone shows besides them. */
export const partsOf = (
  parts: readonly DetailPart[],
  ids: Ids,
  limits: { itemBytes: number; prefix?: string },
) => {
  const { card, userId, claim } = ids;
  const { prefix = "" } = limits;
  const id = sql`${card}.id`;
  const as = (name: string) => sql.identifier(prefix + name);
  return sql`
  SELECT ${columnsOf(parts, ids, limits)}, ${countColumns(card, prefix)},
    ${claim} AS ${as("claim")},
    EXISTS (SELECT 1 FROM card_watchers
      WHERE "cardId" = ${id} AND "userId" = ${userId}) AS ${as("isWatching")},
    ${indexOf("card", id)} AS ${as("before")}`;
};
