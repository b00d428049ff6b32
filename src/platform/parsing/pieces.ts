/** A part of a value that is sent between threads: small enough to be received in one turn. */
export type Piece =
  | { kind: "value"; value: unknown }
  | { kind: "open"; as: "array" | "object" }
  | { kind: "items"; items: unknown[] }
  | { kind: "key"; key: string }
  | { kind: "close" };

/** How much a piece holds, counted in values and in stretches of text. */
const maxWeight = 4_000;
const textStretch = 500;

/** The weight of a value, or more than `max` for any value above it: then the rest is not read. */
function weightOf(value: unknown, max: number): number {
  if (typeof value === "string") return 1 + value.length / textStretch;
  if (typeof value !== "object" || value === null) return 1;
  if (ArrayBuffer.isView(value)) return 1;
  let weight = 1;
  // Without a copy of what may have a million fields.
  for (const key in value) {
    const item: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
    weight += 1 + weightOf(item, max - weight);
    if (weight > max) break;
  }
  return weight;
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof Uint8Array);

/** Divides a value, such as JSON has, into pieces. */
export function* piecesOf(value: unknown): Generator<Piece> {
  if (!isPlain(value) || weightOf(value, maxWeight) <= maxWeight) {
    yield { kind: "value", value };
  } else if (Array.isArray(value)) {
    yield { kind: "open", as: "array" };
    yield* piecesOfItems(value);
    yield { kind: "close" };
  } else {
    yield { kind: "open", as: "object" };
    for (const [key, item] of Object.entries(value)) {
      yield { kind: "key", key };
      yield* piecesOf(item);
    }
    yield { kind: "close" };
  }
}

function* piecesOfItems(items: unknown[]): Generator<Piece> {
  let batch: unknown[] = [];
  let weight = 0;
  for (const item of items) {
    const more = weightOf(item, maxWeight);
    if (batch.length > 0 && weight + more > maxWeight) {
      yield { kind: "items", items: batch };
      [batch, weight] = [[], 0];
    }
    if (more > maxWeight) yield* piecesOf(item);
    else {
      batch.push(item);
      weight += more;
    }
  }
  if (batch.length > 0) yield { kind: "items", items: batch };
}

type Container = unknown[] | Record<string, unknown>;

/** Puts the pieces of a value together. */
export class Assembler {
  #open: Container[] = [];
  #keys: string[] = [];
  #value: unknown;

  /** Takes the next piece; true when the value is complete. */
  take(piece: Piece): boolean {
    if (piece.kind === "open") this.#open.push(piece.as === "array" ? [] : {});
    else if (piece.kind === "key") this.#keys.push(piece.key);
    else if (piece.kind === "value") this.#put(piece.value);
    else if (piece.kind === "items") for (const item of piece.items) this.#put(item);
    else this.#put(this.#open.pop());
    return piece.kind !== "open" && piece.kind !== "key" && this.#open.length === 0;
  }

  /** The complete value. */
  end(): unknown {
    const value = this.#value;
    this.#value = undefined;
    return value;
  }

  #put(value: unknown) {
    const into = this.#open.at(-1);
    if (into === undefined) this.#value = value;
    else if (Array.isArray(into)) into.push(value);
    else {
      const key = this.#keys.pop() ?? "";
      // A field that is named `__proto__` is data too.
      Object.defineProperty(into, key, fieldOf(value));
    }
  }
}

const fieldOf = (value: unknown) => ({
  value,
  enumerable: true,
  configurable: true,
  writable: true,
});
