/** A value that becomes a parameter of a statement. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | Date
  | Uint8Array
  | null
  | readonly Value[];

/** A statement, or a fragment of one: its text and the values of its parameters. */
export class Sql {
  readonly #shape: Shape;
  readonly values: readonly Value[];
  /** Whether it is planned for this call only: no prepared statement is kept. */
  readonly isUnprepared: boolean;

  constructor(shape: Shape, values: readonly Value[], isUnprepared = false) {
    this.#shape = shape;
    this.values = values;
    this.isUnprepared = isUnprepared;
  }

  /** The text with numbered parameters. */
  get text(): string {
    return this.#shape.text;
  }

  toString(): string {
    return this.text;
  }

  /** @internal The pieces of the text; the same object for the same template and fragments. */
  static shapeOf(statement: Sql): Shape {
    return statement.#shape;
  }
}

/** The text between the parameters. A shape is built once for each combination of fragments. */
class Shape {
  readonly fragments: readonly string[];
  #text: string | undefined;

  constructor(fragments: readonly string[]) {
    this.fragments = fragments;
  }

  get text(): string {
    this.#text ??= this.fragments.reduce((text, piece, index) => `${text}$${index}${piece}`);
    return this.#text;
  }
}

/** The shapes of one template, by the fragments that it was called with. */
class ShapeCache {
  shape: Shape | undefined;
  readonly #next = new Map<Shape | undefined, ShapeCache>();

  /** The entry for the next part: the shape of a fragment, undefined for a value. */
  next(part: Shape | undefined): ShapeCache {
    const existing = this.#next.get(part);
    if (existing !== undefined) return existing;
    const entry = new ShapeCache();
    this.#next.set(part, entry);
    return entry;
  }
}

const caches = new WeakMap<readonly string[], ShapeCache>();

/** Makes a statement: a fragment in it is inlined, every other value becomes a parameter. */
export function sql(strings: readonly string[], ...parts: readonly (Sql | Value)[]): Sql {
  let cache = caches.get(strings);
  if (cache === undefined) caches.set(strings, (cache = new ShapeCache()));
  const values: Value[] = [];
  for (const part of parts) {
    if (part instanceof Sql) {
      if (part.isUnprepared) return unprepared(strings, parts);
      cache = cache.next(Sql.shapeOf(part));
      for (const value of part.values) values.push(value);
    } else {
      cache = cache.next(undefined);
      values.push(part);
    }
  }
  return new Sql((cache.shape ??= combine(strings, parts)), values);
}

/** Makes a statement whose shape is not kept. */
function unprepared(strings: readonly string[], parts: readonly (Sql | Value)[]): Sql {
  const values = parts.flatMap((part) => (part instanceof Sql ? part.values : [part]));
  return new Sql(combine(strings, parts), values, true);
}

function combine(strings: readonly string[], parts: readonly (Sql | Value)[]): Shape {
  const fragments = [strings[0] ?? ""];
  const append = (text: string) => fragments.push((fragments.pop() ?? "") + text);
  parts.forEach((part, index) => {
    if (part instanceof Sql) {
      const [first = "", ...others] = Sql.shapeOf(part).fragments;
      append(first);
      fragments.push(...others);
    } else {
      fragments.push("");
    }
    append(strings[index + 1] ?? "");
  });
  return new Shape(fragments);
}

/** A fragment without text. */
sql.empty = sql``;

const identifiers = new Map<string, Sql>();

/** A quoted name of a table, a column or an alias. An alias may have a dot. */
sql.identifier = (name: string): Sql => {
  const existing = identifiers.get(name);
  if (existing !== undefined) return existing;
  if (!/^[a-z_][\w.]*$/i.test(name)) throw new Error(`Not a plain name: ${name}`);
  const fragment = new Sql(new Shape([`"${name}"`]), []);
  identifiers.set(name, fragment);
  return fragment;
};

/**
 * A fragment whose form callers choose, such as a filter: its statements are not prepared, because
 * there would be too many.
 */
sql.unprepared = (fragment: Sql): Sql => new Sql(Sql.shapeOf(fragment), fragment.values, true);

const words = new Map<string, Sql>();

/** A word as a text literal. */
sql.word = (word: string): Sql => {
  const existing = words.get(word);
  if (existing !== undefined) return existing;
  if (!/^\w+$/.test(word)) throw new Error(`Not a plain word: ${word}`);
  const fragment = new Sql(new Shape([`'${word}'`]), []);
  words.set(word, fragment);
  return fragment;
};

const numbers = new Map<number, Sql>();

/** A number in the text itself, such as a limit that the planner should know. */
sql.number = (value: number): Sql => {
  const existing = numbers.get(value);
  if (existing !== undefined) return existing;
  if (!Number.isSafeInteger(value)) throw new Error(`Not a whole number: ${value}`);
  const fragment = new Sql(new Shape([String(value)]), []);
  numbers.set(value, fragment);
  return fragment;
};

/** Fragments with a separator between them. */
sql.join = (fragments: readonly Sql[], separator: Sql): Sql => {
  const [first = sql.empty, ...others] = fragments;
  return others.reduce((joined, next) => sql`${joined}${separator}${next}`, first);
};
