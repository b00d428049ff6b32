import { z } from "zod";
import type { Part as DeclaredPart } from "../../contract/fields/part.ts";
import { cardParts as declared } from "../../contract/resources/card-parts.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { cardParts } from "./card.ts";
import type { NamedRow, Part, RowsPart } from "./part.ts";
import { bytesOfRows, jsonOfRows, jsonRows } from "./rows-sql.ts";

const declarations = new Map(Object.entries<DeclaredPart>(declared));

/** A part of cards by its name, with what places show of it. */
export type NamedPart = { name: string; part: Part; places: Partial<DeclaredPart> };

/** The parts of cards. */
export const partsOfCards: readonly NamedPart[] = Object.entries(cardParts).map(([name, part]) => ({
  name,
  part,
  places: declarations.get(name) ?? {},
}));

/** A record without a static type: the declaration decides what it holds. */
const recordOf = (entries: unknown[][]) => Object.fromEntries(entries);

/** Shows what a schema has of values: it leaves out the fields that the schema does not declare. */
export function only<Schema extends z.ZodObject>(
  schema: Schema,
): (value: object) => z.output<Schema> {
  const fields = Object.entries(schema.shape).map(
    ([name, field]) => [name, within(field)] as const,
  );
  return (value) => {
    const values: Readonly<Record<string, unknown>> = { ...value };
    const record = recordOf([]);
    for (const [name, show] of fields) record[name] = show(values[name]);
    return record;
  };
}

function within(schema: z.core.$ZodType): (value: unknown) => unknown {
  if (schema instanceof z.ZodObject) {
    const show = only(schema);
    return (value) => (typeof value === "object" && value !== null ? show(value) : value);
  }
  if (!(schema instanceof z.ZodArray)) return (value) => value;
  const show = within(schema.element);
  return (value) => (Array.isArray(value) ? value.map((item) => show(item)) : value);
}

/** The things of one part on a card, with all that any place shows of them. */
type ThingsOfCard = {
  /** SQL: what is read of a card, as an array in JSON; `sees` is SQL for the boards of a reader. */
  json: (cardId: Sql, sees?: Sees) => Sql;
  /** SQL: about how many bytes that has. */
  bytes: (cardId: Sql) => Sql;
  /** What was read, as things. `api` is the address of REST. */
  show(this: void, read: unknown, api?: string): object[];
};

/** SQL: whether a reader sees a board. */
export type Sees = (board: Sql) => Sql;

/** The rows of a part without what is on boards that a reader does not see. */
export function seenBy(rows: RowsPart, sees: Sees | undefined): RowsPart {
  const { otherBoard, isOn } = rows;
  if (otherBoard === undefined || sees === undefined) return rows;
  return { ...rows, isOn: (cardId) => sql`${isOn(cardId)} AND ${sees(otherBoard)}` };
}

/** How the things of a part are read with its card: its rows, or the names of the summary. */
export function thingsOf({ summary, from, isOn, rows }: Part): ThingsOfCard {
  if (rows !== undefined) {
    return {
      json: (cardId, sees) => jsonOfRows(seenBy(rows, sees), cardId),
      bytes: (cardId) => bytesOfRows(rows, cardId),
      show: rows.things,
    };
  }
  if (!("view" in summary)) throw new Error("A part without rows has names.");
  const { columns, max, view } = summary;
  const { id, publicId, name, extra } = columns;
  const limit = max === undefined ? sql.empty : sql`LIMIT ${sql.number(max)}`;
  return {
    json: (cardId) =>
      jsonRows(sql`SELECT ${publicId} AS "publicId", ${name} AS name, ${extra} AS extra
        FROM ${from} WHERE ${isOn(cardId)} ORDER BY 2, ${id} ${limit}`),
    bytes: (cardId) => sql`(SELECT sum(100 + octet_length(${name})) FROM ${from}
      WHERE ${isOn(cardId)})`,
    show: (read: NamedRow[]) => read.map(view),
  };
}
