import type { Changes } from "../../kernel/events/pending-event.ts";
import { changesBetween } from "../../kernel/events/changes.ts";
import { cardFields } from "../../contract/fields/card.ts";
import { fieldsSetIn, ownEvents, type InputIn } from "../../contract/fields/field.ts";
import { storedIn, typeOf } from "../declared-fields.ts";
import type { EventData } from "../../contract/event-data.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { lastPosition } from "../../kernel/positions.ts";
import type { Card } from "../../platform/db/rows.ts";
import { sql, type Sql, type Value } from "../../platform/db/sql.ts";
import {
  failure,
  notFound,
  Failure,
  issueOfMissing,
  type NotFoundKind,
} from "../../platform/errors.ts";
import { divideChanges } from "../divide-changes.ts";
import { showCard } from "../presenters/cards.ts";
import { isSelected, type CardSelection } from "./filters.ts";
import { isCardOf, lockedCards } from "./lock-cards.ts";
import { indexesOf } from "./summaries.ts";

/** A selected card: its list, and its index in it. */
export type SelectedCard = Card & {
  list: { publicId: string; name: string };
  cardPrefix: string;
  index: number | null;
};
type Row = Card & {
  listPublicId: string;
  listName: string;
  cardPrefix: string;
  index: bigint | null;
};
type Selection = {
  cardPublicIds?: string[] | undefined;
  filter?: CardSelection | undefined;
};
type Board = { id: bigint; publicId: string; name: string };
type List = { id: bigint; publicId: string; name: string };
type RowChanges = InputIn<typeof cardFields, "bulk">;
type Emits = "card.updated" | "card.moved" | "card.archived" | "card.unarchived" | "card.completed";

const toColumns = storedIn(cardFields, "bulk");

/** The most cards that one call changes. */
export const maxCards = 500;

/**
 * Locks the selected cards of a board.
 *
 * `lockMore` locks them together with others, in their order, before it is certain which they are.
 */
export async function lockSelected(
  tx: UnitOfWork,
  boardId: bigint,
  { cardPublicIds, filter }: Selection,
  lockMore?: (cardIds: bigint[]) => Promise<unknown>,
): Promise<{ id: bigint; listId: bigint }[]> {
  const publicIds = [...new Set(cardPublicIds)];
  const condition =
    filter === undefined
      ? sql`c."boardId" = ${boardId} AND c."deletedAt" IS NULL AND l."deletedAt" IS NULL
          AND c."publicId" = ANY(${publicIds}::text[])`
      : isSelected(boardId, filter);
  type Locked = { id: bigint; publicId: string; listId: bigint };
  // A card that moves to another list of the board meanwhile stays selected.
  const ids = sql`SELECT c.id FROM cards c JOIN lists l ON l.id = c."listId"
    JOIN workspaces w ON w.id = c."workspaceId"
    WHERE ${condition} ORDER BY c.id LIMIT ${maxCards + 1}`;
  if (lockMore !== undefined)
    await lockMore((await tx.query<{ id: bigint }>(ids)).map(({ id }) => id));
  const isLive = sql`"boardId" = ${boardId} AND "deletedAt" IS NULL`;
  const locked = await tx.query<Locked>(
    lockedCards(sql`${isCardOf(ids)} AND ${isLive}`, { columns: sql`id, "publicId", "listId"` }),
  );
  if (locked.length > maxCards) {
    const message = `The filter selects more than ${maxCards} cards. Narrow it.`;
    throw failure("limit_exceeded", message, { path: ["filter"] });
  }
  const lockedIds = new Set(locked.map(({ publicId }) => publicId));
  checkFound("card", cardPublicIds ?? [], lockedIds, ["cardPublicIds"]);
  return locked;
}

/** Locks the lists of locked cards, and the one that they move to. */
export async function lockListsOf(
  tx: UnitOfWork,
  cards: { listId: bigint }[],
  target: { id: bigint } | null,
): Promise<void> {
  const lists = new Set([...cards.map(({ listId }) => listId), ...(target ? [target.id] : [])]);
  const live = await tx.lock("lists", [...lists]);
  if (target !== null && !live.includes(target.id)) throw notFound("list");
}

/** Reads locked cards whose lists are locked too, in the order of the board. */
export async function readSelected(
  tx: UnitOfWork,
  locked: { id: bigint }[],
): Promise<SelectedCard[]> {
  const isCard = sql`c.id = ANY(${locked.map(({ id }) => id)}::bigint[])`;
  const rows = await tx.query<Row>(sql`SELECT c.*, l."publicId" AS "listPublicId",
      l.name AS "listName", w."cardPrefix", indexed.index
    FROM cards c JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
    JOIN (${indexesOf(isCard)}) indexed ON indexed.id = c.id
    WHERE ${isCard} ORDER BY l.position, l.id, c.position, c.id`);
  return rows.map(({ listPublicId, listName, index, ...card }) => ({
    ...card,
    list: { publicId: listPublicId, name: listName },
    index: index === null ? null : Number(index),
  }));
}

/**
 * Changes the rows of cards in one statement, with events for each, which show changed `values` too;
 * returns the changed ids.
 */
export async function changeManyRows(
  tx: UnitOfWork<Emits>,
  board: Board,
  cards: SelectedCard[],
  target: List | null,
  set: RowChanges,
  values: ReadonlyMap<bigint, Changes>,
): Promise<bigint[]> {
  const moving = target === null ? [] : cards.filter((card) => card.listId !== target.id);
  const nthOf = new Map(moving.map(({ id }, nth) => [id, nth + 1]));
  const changedRows = cards.flatMap((card) => {
    const nth = nthOf.get(card.id) ?? null;
    const after = {
      ...card,
      ...toColumns(set, card, tx.now),
      ...(target === null || nth === null ? {} : { listId: target.id }),
    };
    const show = (row: Card) => showCard(row, card.cardPrefix);
    const changes = { ...changesBetween(show(card), show(after)), ...values.get(card.id) };
    return Object.keys(changes).length === 0 && nth === null ? [] : [{ card, after, changes, nth }];
  });
  if (changedRows.length === 0) return [];
  const count = target === null ? 0 : await countOf(tx, target.id);
  await updateRows(tx, changedRows, target);
  const moves =
    target === null ? new Map<bigint, MoveLocations>() : locationsOf(board, moving, target, count);
  for (const { card, changes } of changedRows) {
    const spots = moves.get(card.id);
    const list = spots === undefined || target === null ? card.list : target;
    const data = { card, list, board };
    const { others, events } = divideChanges(changes, ownEvents(cardFields));
    if (others !== null) tx.emit("card.updated", data, others);
    if (spots !== undefined) tx.emit("card.moved", { ...data, ...spots });
    for (const [type, change] of events) tx.emit(type, data, change);
  }
  return changedRows.map(({ card }) => card.id);
}

type MoveLocations = Pick<EventData<"card.moved">, "from" | "to">;

/** Where cards that move to the end of a list were and are, one move after the other. */
function locationsOf(
  board: Board,
  moving: SelectedCard[],
  target: List,
  count: number,
): Map<bigint, MoveLocations> {
  const movedAway = new Map<bigint, number>();
  let index = count;
  return new Map(
    moving.map((card): [bigint, MoveLocations] => {
      const before = movedAway.get(card.listId) ?? 0;
      const from = card.index === null ? null : card.index - before;
      const spot = { boardPublicId: board.publicId };
      const spots = {
        from: { ...spot, listPublicId: card.list.publicId, index: from },
        to: { ...spot, listPublicId: target.publicId, index },
      };
      if (card.index !== null) {
        movedAway.set(card.listId, before + 1);
        index++;
      }
      return [card.id, spots];
    }),
  );
}

async function countOf(tx: UnitOfWork, listId: bigint): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`SELECT count(*)::int AS count FROM cards
    WHERE "listId" = ${listId} AND "deletedAt" IS NULL AND "archivedAt" IS NULL`);
  return row?.count ?? 0;
}

/** `nth` numbers the cards that move to the end of the target list. */
type ChangedRow = { after: Card; nth: number | null };

function updateRows(tx: UnitOfWork, changedRows: ChangedRow[], target: List | null) {
  const rows = changedRows.map(({ after }) => after);
  const last = target === null ? sql`NULL::numeric` : lastPosition("card", target.id);
  return tx.query(sql`UPDATE cards SET position = coalesce(last.position + new.nth, cards.position),
      "listId" = new."listId", ${setFields},
      version = version + 1, "updatedAt" = ${tx.now}::timestamptz
    FROM (SELECT ${last} AS position OFFSET 0) last, unnest(${rows.map(({ id }) => id)}::bigint[],
      ${changedRows.map(({ nth }) => nth)}::int[], ${rows.map((row) => row.listId)}::bigint[],
      ${valuesOf(rows)}) AS new(id, nth, "listId", ${columnNames})
    WHERE cards.id = new.id`);
}

const fields = fieldsSetIn(cardFields, "bulk").map(([, field]) => field);
const commas = (fragments: Sql[]) => sql.join(fragments, sql`, `);
const columnNames = commas(fields.map(({ column }) => sql.identifier(column)));
const setFields = commas(
  fields.map(({ column }) => sql`${sql.identifier(column)} = new.${sql.identifier(column)}`),
);
const valuesOf = (rows: Readonly<Record<string, Value>>[]) =>
  commas(
    fields.map((field) => sql`${rows.map((row) => row[field.column] ?? null)}::${typeOf(field)}[]`),
  );

/** 404 for the ids of an input field that were not found: an issue at the index of each. */
export function checkFound(
  kind: NotFoundKind,
  publicIds: readonly string[],
  foundIds: ReadonlySet<string>,
  path: string[],
): void {
  const issues = publicIds.flatMap((id, index) =>
    foundIds.has(id) ? [] : [issueOfMissing(kind, id, [...path, index])],
  );
  if (issues.length > 0) throw new Failure("NOT_FOUND", issues);
}
