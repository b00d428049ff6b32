type Node = Record<string, any>;
type Document = { paths: Node; components: Node };
type Direction = "sent" | "received";

/** What a client of the older document loses in the newer one. Empty when nothing does. */
export function breaksBetween(older: Document, newer: Document): string[] {
  const breaks = new Set<string>();
  const compare = comparer(older, newer, (text) => breaks.add(text));
  for (const [path, methods] of Object.entries<Node>(older.paths)) {
    for (const [method, operation] of Object.entries<Node>(methods)) {
      const after: Node | undefined = newer.paths[path]?.[method];
      const name = String(operation["operationId"]);
      if (after?.["operationId"] !== name) breaks.add(`${name}: gone`);
      else compareOperations(name, operation, after, compare, (text) => breaks.add(text));
    }
  }
  return [...breaks];
}

type Compare = ReturnType<typeof comparer>;

function compareOperations(
  name: string,
  before: Node,
  after: Node,
  { schemas, find }: Compare,
  say: (text: string) => void,
) {
  const parametersOf = (operation: Node, side: "before" | "after") =>
    new Map<string, Node>(
      (operation["parameters"] ?? [])
        .map((one: Node) => find(one, side))
        // Headers are optional, and a service ignores those that it does not know.
        .filter((one: Node) => one["in"] !== "header")
        .map((one: Node) => [one["name"], one]),
    );
  const [old, current] = [parametersOf(before, "before"), parametersOf(after, "after")];
  for (const [parameter, one] of old) {
    const now = current.get(parameter);
    if (now === undefined) say(`${name}: parameter ${parameter} is gone`);
    else schemas(`${name} ${parameter}`, one["schema"], now["schema"], "received");
  }
  for (const [parameter, one] of current) {
    const isNew = one["required"] === true && old.get(parameter)?.["required"] !== true;
    if (isNew) say(`${name}: parameter ${parameter} is required`);
  }
  const bodyOf = (operation: Node) => operation["requestBody"]?.content["application/json"]?.schema;
  if (bodyOf(before) !== undefined) {
    schemas(`${name} body`, bodyOf(before), bodyOf(after), "received");
  }
  for (const [status, response] of Object.entries<Node>(before["responses"])) {
    const now = after["responses"][status];
    if (now === undefined) say(`${name}: ${status} is gone`);
    else {
      const content = Object.entries<Node>(find(response, "before")["content"] ?? {});
      for (const [type, media] of content) {
        const then = find(now, "after")["content"]?.[type];
        if (then === undefined) say(`${name}: ${status} has no ${type}`);
        else schemas(`${name} ${status}`, media["schema"], then["schema"], "sent");
      }
    }
  }
}

function comparer(older: Document, newer: Document, say: (text: string) => void) {
  const seen = new Set<string>();
  const find = (node: Node, side: "before" | "after"): Node => {
    const ref = node["$ref"];
    if (typeof ref !== "string") return node;
    const [group = "", name = ""] = ref.split("/").slice(2);
    return find((side === "before" ? older : newer).components[group]?.[name] ?? {}, side);
  };
  const nullable = (node: Node) => {
    const other = (node["anyOf"] ?? []).filter((one: Node) => one["type"] !== "null");
    return other.length === 1 && node["anyOf"].length === 2 ? other[0] : node;
  };
  const typesOf = (node: Node) => new Set<string>([node["type"] ?? []].flat());
  function schemas(at: string, before: Node = {}, after: Node = {}, direction: Direction): void {
    const key = `${direction} ${before["$ref"]} ${after["$ref"]}`;
    if (before["$ref"] !== undefined && after["$ref"] !== undefined) {
      if (seen.has(key)) return;
      seen.add(key);
    }
    const one = find(nullable(find(before, "before")), "before");
    const other = find(nullable(find(after, "after")), "after");
    compareTypes(at, one, other, direction);
    compareFields(before["$ref"] ?? at, one, other, direction);
    if (one["items"] !== undefined) schemas(at, one["items"], other["items"], direction);
  }
  function compareTypes(at: string, one: Node, other: Node, direction: Direction) {
    const [old, current] = [typesOf(one), typesOf(other)];
    // What the service sends may lose a type, and what it takes may get one.
    const [part, whole] = direction === "sent" ? [current, old] : [old, current];
    const added = [...part].filter((type) => whole.size > 0 && !whole.has(type));
    if (added.length > 0) say(`${at}: the type is ${[...current].join(" or ")}`);
    if (direction === "received" && other["enum"] !== undefined) {
      const lost = (one["enum"] ?? []).filter((value: unknown) => !other["enum"].includes(value));
      if (lost.length > 0 || one["enum"] === undefined) say(`${at}: values are gone: ${lost}`);
    }
    if ((one["format"] ?? "") !== (other["format"] ?? "")) say(`${at}: another format`);
  }
  function compareFields(at: string, one: Node, other: Node, direction: Direction) {
    for (const [field, schema] of Object.entries<Node>(one["properties"] ?? {})) {
      const now: Node | undefined = other["properties"]?.[field];
      if (now === undefined) say(`${at}: ${field} is gone`);
      else schemas(`${at}.${field}`, schema, now, direction);
    }
    const [before, after] = [one["required"] ?? [], other["required"] ?? []];
    const [part, whole] = direction === "sent" ? [before, after] : [after, before];
    for (const field of part.filter((name: string) => !whole.includes(name))) {
      say(`${at}: ${field} is ${direction === "sent" ? "not always sent" : "required"}`);
    }
  }
  return { schemas, find };
}
