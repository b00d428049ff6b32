type Node = Record<string, any>;
type Document = { paths: Node; webhooks?: Node; components: Node };
type Direction = "sent" | "received";

/** What a client of the older document loses in the newer one. Empty when nothing does. */
export function breaksBetween(older: Document, newer: Document): string[] {
  const breaks = new Set<string>();
  const comparison = new Comparison(older, newer, (text) => breaks.add(text));
  for (const part of ["paths", "webhooks"] as const) {
    for (const [path, methods] of Object.entries<Node>(older[part] ?? {})) {
      for (const [method, operation] of Object.entries<Node>(methods)) {
        const after: Node | undefined = newer[part]?.[path]?.[method];
        const name = String(operation["operationId"]);
        if (after?.["operationId"] !== name) breaks.add(`${name}: gone`);
        else if (part === "paths") comparison.operations(name, operation, after);
        else comparison.bodies(name, operation, after, "sent");
      }
    }
  }
  return [...breaks];
}

/** The bounds of a schema; the sign says in which direction one is narrower. */
const bounds: Readonly<Record<string, 1 | -1>> = {
  minLength: 1,
  minimum: 1,
  exclusiveMinimum: 1,
  minItems: 1,
  minProperties: 1,
  maxLength: -1,
  maximum: -1,
  exclusiveMaximum: -1,
  maxItems: -1,
  maxProperties: -1,
};

const entries = (node: Node | undefined) => Object.entries<Node>(node ?? {});
const missing = <T>(part: Iterable<T>, whole: Iterable<T>) => {
  const all = new Set(whole);
  return [...part].filter((one) => !all.has(one));
};

class Comparison {
  private readonly seen = new Set<string>();
  private readonly older: Document;
  private readonly newer: Document;
  private readonly say: (text: string) => void;

  constructor(older: Document, newer: Document, say: (text: string) => void) {
    this.older = older;
    this.newer = newer;
    this.say = say;
  }

  operations(name: string, before: Node, after: Node) {
    this.parameters(name, before, after);
    this.bodies(name, before, after, "received");
    for (const [status, response] of entries(before["responses"])) {
      const now = after["responses"][status];
      if (now === undefined) this.say(`${name}: ${status} is gone`);
      else this.response(`${name} ${status}`, this.old(response), this.current(now));
    }
  }

  bodies(name: string, before: Node, after: Node, direction: Direction) {
    const [old, now] = [before["requestBody"], after["requestBody"]];
    if (direction === "received" && now?.required === true && old?.required !== true) {
      this.say(`${name}: a body is required`);
    }
    if (old !== undefined) this.content(`${name} body`, old, now ?? {}, direction);
  }

  private parameters(name: string, before: Node, after: Node) {
    const keyOf = (one: Node) => `${one["in"]} ${one["name"]}`;
    const old = new Map(
      (before["parameters"] ?? [])
        .map((one: Node) => this.old(one))
        .map((one: Node) => [keyOf(one), one] as const),
    );
    const now = new Map(
      (after["parameters"] ?? [])
        .map((one: Node) => this.current(one))
        .map((one: Node) => [keyOf(one), one] as const),
    );
    for (const [key, one] of old as Map<string, Node>) {
      const other = (now as Map<string, Node>).get(key);
      if (other === undefined) this.say(`${name}: ${key} is gone`);
      else this.schemas(`${name} ${key}`, one["schema"], other["schema"], "received");
    }
    for (const [key, one] of now as Map<string, Node>) {
      const wasRequired = (old as Map<string, Node>).get(key)?.["required"] === true;
      if (one["required"] === true && !wasRequired) this.say(`${name}: ${key} is required`);
    }
  }

  private response(at: string, before: Node, after: Node) {
    this.content(at, before, after, "sent");
    for (const header of missing(
      Object.keys(before["headers"] ?? {}),
      Object.keys(after["headers"] ?? {}),
    )) {
      this.say(`${at}: the header ${header} is gone`);
    }
  }

  private content(at: string, before: Node, after: Node, direction: Direction) {
    for (const [type, media] of entries(before["content"])) {
      const now = after["content"]?.[type];
      if (now === undefined) this.say(`${at}: no ${type}`);
      else this.schemas(at, media["schema"], now["schema"], direction);
    }
  }

  private schemas(at: string, before: Node = {}, after: Node = {}, direction: Direction): void {
    if (before["$ref"] !== undefined) {
      const key = `${direction} ${before["$ref"]} ${after["$ref"] ?? at}`;
      if (this.seen.has(key)) return;
      this.seen.add(key);
    }
    const where = before["$ref"]?.split("/").at(-1) ?? at;
    const [one, other] = [withoutNull(this.old(before)), withoutNull(this.current(after))];
    const [old, now] = [this.old(one.node), this.current(other.node)];
    const types = (node: Node, isNullable: boolean) => [
      ...[node["type"] ?? []].flat(),
      ...(isNullable ? ["null"] : []),
    ];
    this.types(at, types(old, one.isNullable), types(now, other.isNullable), direction);
    this.values(at, old, now, direction);
    if (direction === "received") this.bounds(at, old, now);
    this.fields(where, old, now, direction);
    this.unions(where, old, now, direction);
    for (const inner of ["items", "additionalProperties"]) {
      if (typeof old[inner] === "object")
        this.schemas(`${where}[]`, old[inner], now[inner], direction);
      else if (direction === "received" && now[inner] === false && old[inner] !== false) {
        this.say(`${where}: no ${inner}`);
      }
    }
  }

  /** What the service sends may lose a type, and what it receives may gain one. */
  private types(at: string, old: string[], now: string[], direction: Direction) {
    const added = direction === "sent" ? missing(now, old) : missing(old, now);
    const isKnown = direction === "sent" ? old.length > 0 : now.length > 0;
    if (isKnown && added.length > 0) this.say(`${at}: the type is ${now.join(" or ")}`);
  }

  private values(at: string, old: Node, now: Node, direction: Direction) {
    const [before, after] = [old["enum"], now["enum"]];
    const lost =
      direction === "sent"
        ? missing(after ?? [], before ?? after ?? [])
        : missing(before ?? [], after ?? before ?? []);
    if (lost.length > 0) this.say(`${at}: the values differ in ${lost.join(", ")}`);
    if (direction === "received" && before === undefined && after !== undefined) {
      this.say(`${at}: only some values`);
    }
    if (old["const"] !== undefined && old["const"] !== now["const"])
      this.say(`${at}: another value`);
    if ((old["format"] ?? "") !== (now["format"] ?? "")) this.say(`${at}: another format`);
  }

  private bounds(at: string, old: Node, now: Node) {
    for (const [bound, sign] of Object.entries(bounds)) {
      const needed = bound === "minProperties" ? old["required"]?.length : undefined;
      const [before = needed, after] = [old[bound], now[bound]];
      const isNarrower =
        after !== undefined && (before === undefined || (after - before) * sign > 0);
      if (isNarrower) this.say(`${at}: ${bound} is ${after}`);
    }
    if (now["pattern"] !== undefined && now["pattern"] !== old["pattern"]) {
      this.say(`${at}: another pattern`);
    }
  }

  private fields(at: string, old: Node, now: Node, direction: Direction) {
    for (const [field, schema] of entries(old["properties"])) {
      const other: Node | undefined = now["properties"]?.[field];
      if (other === undefined) this.say(`${at}: ${field} is gone`);
      else this.schemas(`${at}.${field}`, schema, other, direction);
    }
    const [before, after]: [string[], string[]] = [old["required"] ?? [], now["required"] ?? []];
    if (direction === "sent") {
      for (const field of missing(before, after)) this.say(`${at}: ${field} is not always sent`);
    } else {
      for (const field of missing(after, before)) this.say(`${at}: ${field} is required`);
    }
  }

  /** A form may be added to what is sent only if a discriminator tells the forms apart. */
  private unions(at: string, old: Node, now: Node, direction: Direction) {
    const [before, after] = [formsOf(old), formsOf(now)];
    if (before.size === 0) return;
    for (const [name, form] of before) {
      const other = after.get(name);
      if (other !== undefined) this.schemas(`${at}/${name}`, form, other, direction);
      else if (direction === "received") this.say(`${at}: the form ${name} is gone`);
    }
    const added = missing(after.keys(), before.keys());
    if (direction === "sent" && added.length > 0 && now["discriminator"] === undefined) {
      this.say(`${at}: the forms ${added.join(", ")} are new`);
    }
  }

  private old = (node: Node): Node => resolved(this.older, node);
  private current = (node: Node): Node => resolved(this.newer, node);
}

function resolved(document: Document, node: Node): Node {
  const ref = node["$ref"];
  if (typeof ref !== "string") return node;
  const [group = "", name = ""] = ref.split("/").slice(2);
  return resolved(document, document.components[group]?.[name] ?? {});
}

/** A schema, and whether it is one of two forms beside null. */
function withoutNull(node: Node): { node: Node; isNullable: boolean } {
  const forms: Node[] = node["anyOf"] ?? [];
  const others = forms.filter((one) => one["type"] !== "null");
  const [only] = others;
  const isNullable = others.length === 1 && forms.length === 2;
  return isNullable && only !== undefined
    ? { node: only, isNullable }
    : { node, isNullable: false };
}

/** The forms of a union by their names, or by their places. */
function formsOf(node: Node): Map<string, Node> {
  const forms: Node[] = node["oneOf"] ?? node["anyOf"] ?? node["allOf"] ?? [];
  return new Map(
    forms.map((one, index) => [one["$ref"]?.split("/").at(-1) ?? `${one["type"] ?? index}`, one]),
  );
}
