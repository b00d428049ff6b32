import { z } from "zod";
import {
  BoardDescription,
  BoardName,
  BoardSlug,
  ListName,
  WorkspaceName,
} from "../../contract/fields/shared.ts";
import type { Query } from "../../platform/db/query.ts";
import { cardFields } from "../../contract/fields/card.ts";
import { fieldsIn, outputIn } from "../../contract/fields/field.ts";
import { cardParts as declaredParts } from "../../contract/resources/card-parts.ts";
import { PublicLabel } from "../../contract/resources/labels.ts";
import { partsIn } from "../../contract/fields/part.ts";
import { isSelected, type CardSelection } from "../cards/filters.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { columnsOf, showIn } from "../declared-fields.ts";
import { partsOfCards, thingsOf } from "../parts/things.ts";

const PublicCard = z
  .object({
    ...outputIn(cardFields, "public"),
    ...partsIn(declaredParts, "public"),
  })
  .meta({ id: "PublicCard", description: "A card of a public board." });

/** A public board: texts without ids, email addresses and attachments. */
export const PublicBoard = z
  .object({
    name: BoardName,
    description: BoardDescription,
    slug: BoardSlug,
    workspaceName: WorkspaceName,
    labels: z.array(PublicLabel).meta({ description: "The labels of the board." }),
    lists: z
      .array(
        z
          .object({
            name: ListName,
            cards: z.array(PublicCard).meta({ description: "The cards, in order." }),
          })
          .meta({
            id: "PublicList",
            description: "A list of a public board, with its cards in order.",
          }),
      )
      .meta({ description: "The lists, in order." }),
  })
  .meta({
    id: "PublicBoard",
    description: "A public board: texts without ids, email addresses and attachments.",
  });

type List = z.infer<typeof PublicBoard>["lists"][number];
type Card = z.infer<typeof PublicCard>;
type Row = Readonly<Record<string, unknown>> & Pick<CardRow, "listId"> & { prefix: string };

/** The parts that a public board shows. */
const parts = partsOfCards.flatMap(({ name, part, places }) =>
  places.public === undefined ? [] : [{ name, ...thingsOf(part), ...part.rows }],
);
const columns = sql.join(
  parts.map(({ name, json }) => sql`${json(sql`c.id`)} AS ${sql.identifier(name)}`),
  sql`, `,
);
const partBytes = sql.join(
  parts.map(({ bytes: ofPart }) => sql`coalesce(${ofPart(sql`c.id`)}, 0)`),
  sql` + `,
);
const bytes = sql`300 + octet_length(c.title) + coalesce(octet_length(c.description), 0)
  + ${partBytes}`;
/** The most cards and bytes in one answer: the first cards of each list. */
const maxCards = 1_000;
const maxBytes = 4 * 1024 * 1024;
const cards = (selected: Sql, cardLimit: number) => sql`
  SELECT c."listId", w."cardPrefix" AS prefix, ${columnsOf(fieldsIn(cardFields, "public"), "c")},
    ${columns}
  FROM (SELECT first.id, sum(${bytes}) OVER (ORDER BY first.nth, c."listId") AS bytes
    FROM (SELECT c.id, row_number() OVER (PARTITION BY c."listId" ORDER BY c.position) AS nth
      FROM cards c JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
      WHERE ${selected}
      ORDER BY nth, c."listId" LIMIT ${sql.number(maxCards)}) first
    JOIN cards c ON c.id = first.id WHERE first.nth <= ${cardLimit}) shown
  JOIN cards c ON c.id = shown.id JOIN workspaces w ON w.id = c."workspaceId"
  WHERE shown.bytes <= ${sql.number(maxBytes)} ORDER BY c.position`;
const lists = (boardId: bigint) => sql`SELECT id, name FROM lists
  WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL AND "archivedAt" IS NULL ORDER BY position`;
const boardLabels = (boardId: bigint) => sql`SELECT name, "colourCode" FROM labels la
  WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL ORDER BY name, "publicId"`;

/** The lists and labels of a public board, and the ids of its authors, in three queries. */
export async function publicContents(
  query: Query,
  boardId: bigint,
  selection: CardSelection,
  cardLimit: number,
) {
  const [listRows, labelRows, cardRows] = await Promise.all([
    query<{ id: bigint; name: string }>(lists(boardId)),
    query<z.infer<typeof PublicLabel>>(boardLabels(boardId)),
    query<Row>(cards(isSelected(boardId, selection), cardLimit)),
  ]);
  const byList = new Map(listRows.map(({ id, name }): [bigint, List] => [id, { name, cards: [] }]));
  const authorIds = new Set<string>();
  for (const row of cardRows) byList.get(row.listId)?.cards.push(show(row, authorIds));
  const contents = { labels: labelRows, lists: [...byList.values()] };
  return { contents, authorIds: [...authorIds].map(BigInt) };
}

const fieldsOf = showIn(cardFields, "public");

/** A record without a static type: the declaration decides what it holds. */
const recordOf = (entries: unknown[][]) => Object.fromEntries(entries);

/**
 * Shows a card, and adds the ids of the users who are named on it. `PublicBoard` leaves out what
 * else things have.
 */
function show(row: Row, userIds: Set<string>): Card {
  const shownParts = parts.map(({ name, show: thingsIn, public: publicIn, userOf }) => {
    const things = thingsIn(row[name]);
    for (const thing of things) {
      const userId = userOf?.(thing) ?? null;
      if (userId !== null) userIds.add(userId);
    }
    return [name, publicIn?.(things) ?? things];
  });
  return { ...fieldsOf(row, row.prefix), ...recordOf(shownParts) };
}
