import pg from "pg";
import type { Sql, Value } from "./sql.ts";
import { bigints, statementName } from "./client.ts";
import { parameterBytes, type Written } from "./written.ts";

type Field = { name: string; dataTypeID: number; format: string };
type Parser = (text: string) => unknown;

/** The columns of a statement, and a row without values: it gives all rows one shape. */
type Columns = { names: string[]; parsers: Parser[]; empty: Record<string, unknown> };

/** A connection of `pg`: `submittedNamedStatements` are those that are not parsed yet. */
type Wire = { describe(portal: object): void; submittedNamedStatements: object };

/** The connection as a described statement uses it, and the columns of its statements. */
type Known = { wire: Wire; columns: Map<string, Columns> };

const connections = new WeakMap<Wire, Known>();

function knownOf(wire: Wire): Known {
  const found = connections.get(wire);
  if (found !== undefined) return found;
  const silent: Wire = Object.create(wire, { describe: { value: () => undefined } });
  const known = { wire: silent, columns: new Map<string, Columns>() };
  connections.set(wire, known);
  return known;
}

/** The rows that a statement has written, as PostgreSQL says when it ends. */
const rowsIn = (tag: string): number =>
  Number(/^(?:INSERT 0|UPDATE|DELETE) (\d+)$/.exec(tag)?.[1] ?? 0);

type Answered = (error: Error | null, rows?: unknown[]) => void;

/** The methods of `pg`'s class that its types leave out. */
type Base = new (
  text: string,
  values: unknown[],
) => pg.Query & {
  name: string;
  callback: Answered | undefined;
  prepare(connection: Wire): void;
};

// The types of `pg` have no methods of a query beside `submit`.
const Query = pg.Query as unknown as Base;

/**
 * A prepared statement that a connection describes once.
 *
 * PostgreSQL describes the columns in each call otherwise: of a target with its ancestors these
 * are more bytes, and more work, than the row.
 */
class PreparedQuery extends Query {
  readonly #isTexts: boolean;
  readonly #written: Written | undefined;
  readonly #rows: unknown[] = [];
  #known: Known | undefined;
  #columns: Columns | undefined;
  #fault: Error | undefined;

  constructor(statement: Sql, written: Written | undefined) {
    const { text, values, isTexts } = statement;
    super(text, values.map(asText));
    this.name = statementName(text);
    this.#isTexts = isTexts;
    this.#written = written;
  }

  override prepare(connection: Wire): void {
    // `pg` takes the name for known, but the statement that defines it may still fail.
    if (this.name in connection.submittedNamedStatements) this.name = "";
    this.#known = knownOf(connection);
    this.#columns = this.#known.columns.get(this.name);
    super.prepare(this.#columns === undefined ? connection : this.#known.wire);
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#columns = columnsOf(fields);
    // The nameless statement is another one the next time.
    if (this.name !== "") this.#known?.columns.set(this.name, this.#columns);
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

  handleCommandComplete({ text }: { text: string }): void {
    if (this.#written !== undefined) this.#written.rows += rowsIn(text);
  }

  handleError(error: Error): void {
    this.callback?.(this.#fault ?? error);
  }

  handleReadyForQuery(): void {
    if (this.#fault === undefined) this.callback?.(null, this.#rows);
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
export function queryRows<Row>(
  on: pg.Pool | pg.ClientBase,
  statement: Sql,
  written?: Written,
): Promise<Row[]> {
  if (written !== undefined) written.bytes += parameterBytes(statement.values);
  const answer = new Promise<Row[]>((resolve, reject) => {
    const answered = (error: Error | null, rows?: Row[]) => {
      if (rows === undefined) reject(error);
      else resolve(rows);
    };
    // The types of `pg` have no callback for a query of another class.
    Reflect.apply(on.query, on, [new PreparedQuery(statement, written), undefined, answered]);
  });
  // The stack of the caller says more than that of the socket.
  return answer.catch((error: Error) => {
    Error.captureStackTrace(error);
    throw error;
  });
}
