import pg from "pg";
import type { Sql, Value } from "./sql.ts";
import { addToGroup, type GroupWire, type GroupedStatement, passOn } from "./statement-group.ts";
import { bigints, statementName } from "./client.ts";
import { parameterBytes, type WrittenAmount } from "./written.ts";

type Field = { name: string; dataTypeID: number; format: string };
type Parser = (text: string) => unknown;

/** The columns of a statement, and a row without values: it gives all rows one shape. */
type Columns = { names: string[]; parsers: Parser[]; empty: Record<string, unknown> };

/** A connection of `pg`: `submittedNamedStatements` are those that are not parsed yet. */
type Wire = GroupWire & { describe(portal: object): void; submittedNamedStatements: object };

/** The columns of a connection's statements, and the connection without some of its messages. */
type Known = { columns: Map<string, Columns>; described: Wire; grouped: Wire; both: Wire };

const connections = new WeakMap<Wire, Known>();

function knownOf(wire: Wire): Known {
  const found = connections.get(wire);
  if (found !== undefined) return found;
  const without = (one: Wire, message: "describe" | "sync"): Wire =>
    Object.create(one, { [message]: { value: () => undefined } });
  const described = without(wire, "describe");
  const columns = new Map<string, Columns>();
  const grouped = without(wire, "sync");
  const known = { columns, described, grouped, both: without(described, "sync") };
  connections.set(wire, known);
  return known;
}

/** The rows that a statement has written, as PostgreSQL says when it ends. */
const rowsIn = (tag: string): number =>
  Number(/^(?:INSERT 0|UPDATE|DELETE) (\d+)$/.exec(tag)?.[1] ?? 0);

type Answered = (error: Error | null, answer?: Answer<unknown>) => void;

/** The rows of a statement, and what PostgreSQL says when it ends: `COMMIT`, or `UPDATE 1`. */
type Answer<Row> = { rows: Row[]; tag: string };

/** How a statement is sent: its counts, and whether it shares one answer with its neighbours. */
type Sending = { written?: WrittenAmount | undefined; isGrouped?: boolean };

/** The methods of `pg`'s class that its types leave out. */
type Base = new (
  text: string,
  values: unknown[],
) => pg.Query & {
  name: string;
  callback: Answered | undefined;
  queryMode: string;
  prepare(connection: Wire): void;
};

// The types of `pg` lack all methods of a query except `submit`.
const Query = pg.Query as unknown as Base;

/**
 * A prepared statement that a connection describes once.
 *
 * PostgreSQL describes the columns in each call otherwise: of a target with its ancestors these
 * are more bytes, and more work, than the row.
 */
class PreparedQuery extends Query implements GroupedStatement {
  readonly #isTexts: boolean;
  readonly #written: WrittenAmount | undefined;
  readonly isGrouped: boolean;
  isLast = true;
  readonly #rows: unknown[] = [];
  #known: Known | undefined;
  #columns: Columns | undefined;
  #fault: Error | undefined;
  #tag = "";

  constructor(statement: Sql, { written, isGrouped = false }: Sending) {
    const { text, values, isTexts } = statement;
    super(text, values.map(asText));
    this.name = statementName(text);
    this.#isTexts = isTexts;
    this.#written = written;
    this.isGrouped = isGrouped;
    // A simple query would end the group.
    this.queryMode = "extended";
  }

  override prepare(connection: Wire): void {
    // `pg` takes the name for known, but the statement that defines it may still fail.
    if (this.name in connection.submittedNamedStatements) this.name = "";
    const known = (this.#known = knownOf(connection));
    this.#columns = known.columns.get(this.name);
    const isDescribed = this.#columns !== undefined;
    if (this.isGrouped) {
      addToGroup(connection, this);
      super.prepare(isDescribed ? known.both : known.grouped);
    } else {
      super.prepare(isDescribed ? known.described : connection);
    }
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#noteColumns(columnsOf(fields));
  }

  #noteColumns(columns: Columns): void {
    this.#columns = columns;
    // The nameless statement is another one the next time.
    if (this.name !== "") this.#known?.columns.set(this.name, columns);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#isTexts) {
      this.#rows.push(fields);
      return;
    }
    try {
      if (this.#fault === undefined) this.#rows.push(rowOf(fields, this.#columns));
    } catch (error) {
      this.#fault = error instanceof Error ? error : new Error(String(error));
    }
  }

  handleCommandComplete({ text }: { text: string }, connection: Wire): void {
    if (this.#columns === undefined) this.#noteColumns(columnsOf([]));
    if (this.#written !== undefined) this.#written.rows += rowsIn(text);
    this.#tag = text;
    if (!this.isLast) passOn(connection);
  }

  handleError(error: Error, connection: Wire): void {
    this.callback?.(this.#fault ?? error);
    if (!this.isLast) passOn(connection, error);
  }

  handleReadyForQuery(): void {
    if (this.#fault === undefined) this.callback?.(null, { rows: this.#rows, tag: this.#tag });
    else this.callback?.(this.#fault);
  }
}

/** A time as PostgreSQL reads it; `pg` writes it in the time zone of the process. */
const asText = (value: Value) => (value instanceof Date ? value.toISOString() : value);

// The types of `pg` describe the parsers of another version.
const parserOf = (type: number) => bigints.getTypeParser(type) as unknown as Parser;

function columnsOf(fields: Field[]): Columns {
  return {
    names: fields.map(({ name }) => name),
    parsers: fields.map(({ dataTypeID }) => parserOf(dataTypeID)),
    empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
  };
}

function rowOf(texts: (string | null)[], columns: Columns | undefined): Record<string, unknown> {
  if (columns === undefined) throw new Error("The columns of a row are unknown.");
  const row = { ...columns.empty };
  const { names, parsers } = columns;
  for (let nth = 0; nth < texts.length; nth++) {
    const [name, parse, text] = [names[nth], parsers[nth], texts[nth]];
    if (name !== undefined && parse !== undefined && typeof text === "string") {
      row[name] = parse(text);
    }
  }
  return row;
}

/** Runs a prepared statement on a pool, or on one of its connections; counts what it writes. */
export const queryRows = async <Row>(
  on: pg.Pool | pg.ClientBase,
  statement: Sql,
  written?: WrittenAmount,
): Promise<Row[]> => (await send<Row>(on, statement, { written })).rows;

/** Sends a prepared statement; one that is grouped needs a connection and its transaction. */
export function send<Row>(
  on: pg.Pool | pg.ClientBase,
  statement: Sql,
  sending: Sending,
): Promise<Answer<Row>> {
  const { written } = sending;
  if (written !== undefined) written.bytes += parameterBytes(statement.values);
  const answer = new Promise<Answer<Row>>((resolve, reject) => {
    const answered = (error: Error | null, given?: Answer<Row>) => {
      if (given === undefined) reject(error);
      else resolve(given);
    };
    // The types of `pg` have no callback for a query of another class.
    Reflect.apply(on.query, on, [new PreparedQuery(statement, sending), undefined, answered]);
  });
  // The stack of the caller says more than that of the socket.
  return answer.catch((error: Error) => {
    Error.captureStackTrace(error);
    throw error;
  });
}
