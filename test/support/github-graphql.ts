/**
 * Executes GraphQL queries on plain objects, with the selections, arguments and nulls of GitHub.
 */

type Value = string | number | null;
type Selection = {
  name: string;
  args: Record<string, Value>;
  fields: Selection[] | undefined;
  /** The type that a fragment is on. */
  on?: string;
};

/** A node: plain values, other nodes, or functions of a field's arguments. */
export type Node = { __typename: string; [field: string]: unknown };

/** An entry of `errors` for one field. */
export class FieldError extends Error {
  readonly type: string | undefined;
  readonly extensions: Record<string, unknown>;
  constructor(type: string | undefined, message: string, extensions = {}) {
    super(message);
    this.type = type;
    this.extensions = extensions;
  }
}

/** Refuses a whole query: the answer then has no `data`. */
export class QueryError extends FieldError {}

class Nulled extends Error {}

const nullable = new Set(["organization", "node"]);

/** The `data` and `errors` of a query. */
export function execute(root: Node, query: string, variables: Record<string, Value>) {
  const errors: object[] = [];
  const resolve = (node: Node, fields: Selection[], path: (string | number)[]): object =>
    Object.fromEntries(
      fields.flatMap((field): [string, unknown][] => {
        if (field.on === undefined) return [[field.name, value(node, field, path)]];
        const meant = field.on === node.__typename;
        return meant ? Object.entries(resolve(node, field.fields ?? [], path)) : [];
      }),
    );
  const value = (node: Node, field: Selection, above: (string | number)[]): unknown => {
    const path = [...above, field.name];
    try {
      if (!(field.name in node)) {
        throw new QueryError(
          undefined,
          `Field '${field.name}' doesn't exist on type '${node.__typename}'`,
        );
      }
      const found = node[field.name];
      return shape(typeof found === "function" ? found(field.args) : found, field, path);
    } catch (error) {
      if (error instanceof FieldError && !(error instanceof QueryError)) {
        const { type, message, extensions } = error;
        errors.push({ type, path, extensions, locations: [{ line: 1, column: 1 }], message });
      } else if (!(error instanceof Nulled)) throw error;
      if (nullable.has(field.name)) return null;
      throw new Nulled();
    }
  };
  const shape = (found: unknown, field: Selection, path: (string | number)[]): unknown => {
    const { fields } = field;
    if (Array.isArray(found)) {
      return found.map((each, index) => {
        try {
          return shape(each, field, [...path, index]);
        } catch (error) {
          if (error instanceof Nulled) return null;
          throw error;
        }
      });
    }
    return isNode(found) && fields !== undefined ? resolve(found, fields, path) : found;
  };
  try {
    const data = resolve(root, parse(query, variables), []);
    return errors.length > 0 ? { data, errors } : { data };
  } catch (error) {
    if (error instanceof Nulled) return { data: null, errors };
    if (error instanceof QueryError) {
      const { type, message } = error;
      return { errors: [{ type, locations: [{ line: 1, column: 1 }], message }] };
    }
    throw error;
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "__typename" in value;

/** A connection over `items`, with the pages and the page limits of GitHub. */
export const connection =
  (name: string, items: Node[]) =>
  ({ first, after }: { first?: number; after?: string | null }): Node => {
    if (first === undefined) {
      throw new FieldError(
        "MISSING_PAGINATION_BOUNDARIES",
        `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
      );
    }
    if (first > 100) {
      throw new FieldError(
        "EXCESSIVE_PAGINATION",
        `Requesting ${first} records on the \`${name}\` connection exceeds the \`first\` limit of 100 records.`,
      );
    }
    const from = after ? Number(Buffer.from(after, "base64").toString().split(":").at(-1)) : 0;
    const nodes = items.slice(from, from + first);
    const to = from + nodes.length;
    const endCursor = nodes.length > 0 ? Buffer.from(`cursor:v2:${to}`).toString("base64") : null;
    return {
      __typename: `${name}Connection`,
      totalCount: items.length,
      nodes,
      pageInfo: { __typename: "PageInfo", hasNextPage: to < items.length, endCursor },
    };
  };

function parse(query: string, variables: Record<string, Value>): Selection[] {
  const tokens: string[] = query.match(/\$?[A-Za-z_]\w*|"[^"]*"|\d+|\.\.\.|[{}():!]/g) ?? [];
  let at = tokens.indexOf("{");
  const expect = (token: string) => {
    if (tokens[at] !== token) throw new QueryError(undefined, `Expected ${token}`);
    at += 1;
  };
  const take = () => tokens[at++] ?? "";
  const argument = (token: string): Value => {
    if (token.startsWith("$")) return variables[token.slice(1)] ?? null;
    return token.startsWith('"') ? token.slice(1, -1) : Number(token);
  };
  const args = () => {
    const found: Record<string, Value> = {};
    if (tokens[at] !== "(") return found;
    for (at += 1; tokens[at] !== ")";) {
      const name = take();
      expect(":");
      found[name] = argument(take());
    }
    at += 1;
    return found;
  };
  const block = (): Selection[] => {
    const found: Selection[] = [];
    expect("{");
    while (tokens[at] !== "}") {
      if (at >= tokens.length) throw new QueryError(undefined, "Expected }");
      if (tokens[at] === "...") {
        at += 1;
        expect("on");
        const on = take();
        found.push({ name: "", args: {}, fields: block(), on });
        continue;
      }
      const name = take();
      const given = args();
      found.push({ name, args: given, fields: tokens[at] === "{" ? block() : undefined });
    }
    at += 1;
    return found;
  };
  return block();
}
