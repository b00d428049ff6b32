import { cardFields } from "../../contract/fields/card.ts";
import { fieldsSetIn, type Field, type StoredIn } from "../../contract/fields/field.ts";
import { storedIn, typeOf } from "../declared-fields.ts";
import { placementOf } from "../placement.ts";
import { indexCopies } from "../search/index-stored.ts";
import { indexTexts, textOfCard, type SearchedText } from "../search/index-texts.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import { batchesOf, jsonOf } from "../../platform/db/insert-rows.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Card } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { checkPlaced, insertedIndex, place, type Placement } from "../../kernel/positions.ts";
import { sql, type Sql, type Value } from "../../platform/db/sql.ts";

type Stored = StoredIn<typeof cardFields, "create" | "update">;
type Fields = { [Column in keyof Stored]?: Stored[Column] | undefined };

/** A card to insert. A field without a value comes from `copyOf`, or is null. */
export type NewCard = Fields & {
  boardId: bigint;
  listId: bigint;
  /** The position of a copy; otherwise the card is inserted at its placement. */
  position?: string;
  /** The card that it is a copy of. */
  copyOf?: bigint;
  publicId?: string;
  /** A number that is known to be free; otherwise the next number of the workspace. */
  number?: number;
  createdAt?: Date;
  updatedAt?: Date;
};

/** The workspace of new cards, and the user who creates them. */
export type CardOwner = { workspaceId: bigint; createdById: bigint | null };

type Tx = Pick<UnitOfWork, "query" | "now">;
export type InsertedCard = Pick<Card, "id" | "publicId" | "number">;

/** The cards of one statement, and how many of them need a number. */
type Batch = { cards: NewRow[]; count: number; owner: CardOwner; now: Date; place: Sql };
type NewRow = NewCard & { publicId: string; nth: number | null };

const fields = fieldsSetIn(cardFields, "create", "update").map(([, field]) => field);
const columnOf = ({ column }: Field) => sql.identifier(column);
const commas = (fragments: Sql[]) => sql.join(fragments, sql`, `);
const isCopied = (field: Field) => field.in.includes("copy");
const columns = commas(fields.map(columnOf));
const typed: [string, Sql][] = [
  ["publicId", sql`text`],
  ["boardId", sql`bigint`],
  ["listId", sql`bigint`],
  ["number", sql`int`],
  ["nth", sql`int`],
  ["position", sql`numeric`],
  ["createdAt", sql`timestamptz`],
  ["updatedAt", sql`timestamptz`],
  ["copyOf", sql`bigint`],
  ...fields.map((field): [string, Sql] => [field.column, typeOf(field)]),
];
const typedColumns = commas(typed.map(([name, type]) => sql`${sql.identifier(name)} ${type}`));
const copied = commas(fields.filter(isCopied).map(columnOf));
const storedColumns = commas(
  fields.map((field) => {
    const newValue = sql`new.${columnOf(field)}`;
    const copy = isCopied(field) ? sql`, source.${columnOf(field)}` : sql.empty;
    const { choice, kind } = field;
    const otherwise = choice
      ? sql`, ${choice.otherwise}::${typeOf(field)}`
      : kind === "allDay"
        ? sql`, false`
        : sql.empty;
    return sql`coalesce(${newValue}${copy}${otherwise})`;
  }),
);

/** SQL: the cards of a statement as the rows `new`. One by its values: it costs less than JSON. */
function rowsOf(cards: NewRow[]): Sql {
  const [card] = cards;
  if (cards.length > 1 || card === undefined)
    return sql`json_to_recordset(${jsonOf(cards)}::json) AS new(${typedColumns})`;
  const given = new Map<string, Value | undefined>(Object.entries(card));
  const values = typed.map(
    ([name, type]) => sql`${given.get(name) ?? null}::${type} AS ${sql.identifier(name)}`,
  );
  return sql`(SELECT ${commas(values)}) AS new`;
}

// OFFSET 0 makes every look-up of `copyOf` one by the primary key.
const insertInto = ({ cards, count, owner, now, place: at }: Batch, returning: Sql) => sql`
  WITH place AS (${at}), taken AS (
    UPDATE workspaces SET "lastCardNumber" = "lastCardNumber" + ${count}::int
    WHERE id = ${owner.workspaceId} AND ${count}::int > 0
    RETURNING "lastCardNumber" - ${count}::int AS last
  )
  INSERT INTO cards ("publicId", "workspaceId", "boardId", "listId", number, position,
    "createdById", "createdAt", "updatedAt", ${columns})
  SELECT new."publicId", ${owner.workspaceId}::bigint, new."boardId", new."listId",
    coalesce(new.number, (SELECT last FROM taken) + new.nth),
    coalesce(new.position, place.position), ${owner.createdById}::bigint,
    coalesce(new."createdAt", ${now}::timestamptz), coalesce(new."updatedAt", ${now}::timestamptz),
    ${storedColumns}
  FROM ${rowsOf(cards)}
  CROSS JOIN place LEFT JOIN LATERAL (
    SELECT ${copied} FROM cards WHERE id = new."copyOf" OFFSET 0
  ) source ON true
  RETURNING ${returning}`;
const refs = sql`id, "publicId", number`;
const full = sql`*`;
const withIndex = sql`*, ${insertedIndex("card")} AS index`;
/** SQL: no place is computed for cards that come with their positions. */
const noPlace = sql`SELECT NULL::numeric AS position`;

/** Inserts cards. No other statement inserts into `cards`. Answers ids and numbers, in order. */
export const insertCards = (tx: Tx, owner: CardOwner, cards: NewCard[]): Promise<InsertedCard[]> =>
  insert(tx, refs, owner, cards, noPlace);

/** Inserts cards, and answers their full rows, in order. */
export const insertCardRows = (tx: Tx, owner: CardOwner, cards: NewCard[]): Promise<Card[]> =>
  insert(tx, full, owner, cards, noPlace);

type Parents = {
  workspace: { id: bigint; lastCardNumber: number };
  board: { id: bigint };
  list: { id: bigint };
  caller: { userId: bigint };
  newId: string;
};
type Input = Parameters<typeof storedOfNew>[0] & Parameters<typeof placementOf>[0];

const storedOfNew = storedIn(cardFields, "create");

/** Inserts a card where an input places it in a locked list. 409 when the board is full. */
export async function insertNewCard(
  tx: UnitOfWork,
  { workspace, board, list, caller, newId }: Parents,
  input: Input,
): Promise<Card & { index: number }> {
  await checkCardLimit(tx, workspace, board.id);
  const owner = { workspaceId: workspace.id, createdById: caller.userId };
  const parents = { publicId: newId, boardId: board.id, listId: list.id };
  const card = { ...parents, ...storedOfNew(input, {}, tx.now) };
  return insertCard(tx, owner, card, placementOf(input));
}

/** Inserts one card at a placement of its locked list, by default the end. */
export async function insertCard(
  tx: Tx,
  owner: CardOwner,
  card: NewCard,
  placement: Placement = {},
): Promise<Card & { index: number }> {
  const at = place("card", card.listId, placement);
  type Row = Card & { position: string; index: number };
  const [row] = await insert<Row>(tx, withIndex, owner, [card], at);
  return checkPlaced(tx.query, "card", card.listId, placement, row);
}

async function insert<Row extends InsertedCard>(
  { query, now }: Tx,
  returning: Sql,
  owner: CardOwner,
  cards: NewCard[],
  at: Sql,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const batch of batchesOf(cards, textOf)) {
    let unnumbered = 0;
    const records = batch.map((card) => ({
      publicId: publicId(),
      ...card,
      nth: card.number === undefined ? (unnumbered += 1) : null,
    }));
    const values = { cards: records, count: unnumbered, owner, now, place: at };
    const inserted = await query<Row>(insertInto(values, returning));
    const byId = new Map(inserted.map((row) => [row.publicId, row]));
    rows.push(...records.flatMap((record) => byId.get(record.publicId) ?? []));
    await indexWords(query, owner, records, byId);
  }
  return rows;
}

/** Stores the words of new cards. Copies have those of their sources. */
async function indexWords(
  query: Query,
  owner: CardOwner,
  cards: NewRow[],
  inserted: ReadonlyMap<string, InsertedCard>,
): Promise<void> {
  const copies: { id: bigint; source: bigint }[] = [];
  const written: SearchedText[] = [];
  for (const { publicId: key, boardId, copyOf, title = "", description = null } of cards) {
    const { id } = inserted.get(key) ?? {};
    if (id === undefined) continue;
    if (copyOf !== undefined) copies.push({ id, source: copyOf });
    else written.push(textOfCard({ id, boardId, title, description, deletedAt: null }));
  }
  if (written.length > 0) indexTexts(query, owner, written);
  await indexCopies(query, copies);
}

const texts = fields.filter(({ kind }) => kind === "text").map(({ column }) => column);
const textOf = (card: Readonly<Record<string, unknown>>) =>
  texts.reduce((sum, column) => {
    const text = card[column];
    return sum + (typeof text === "string" ? text.length : 0);
  }, 0);
