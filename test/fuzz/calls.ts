import { batchOperations, isMutation, operations, routeOf, type Operation } from "./operations.ts";
import { generateFields, mutate, type Source } from "./generate.ts";
import { hostileBody, hostileHeaders } from "./hostile.ts";

/** A request, ready to send. */
export type FuzzCall = {
  operation: Operation;
  api: "REST" | "tRPC";
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
};

/** Makes a call of a random operation: most inputs are valid, the others are mutated. */
export function makeCall(source: Source): FuzzCall {
  const { random } = source;
  const operation = random.pick(operations) ?? operations[0];
  if (operation === undefined) throw new Error("The document has no operation.");
  const input = generateFields(operation.fields, source);
  if (operation.name === "workspace.batch") input["operations"] = batchOf(source);
  if (random.chance(0.3)) mutate(input, random);
  const call =
    operation.isStream || random.chance(0.6)
      ? overRest(operation, input, source)
      : overTrpc(operation, input);
  if (random.chance(0.1)) Object.assign(call.headers, hostileHeaders(random));
  if (call.body !== undefined && random.chance(0.03)) call.body = hostileBody(random);
  return call;
}

/** Some operations of a batch, one of them sometimes with another input than its schema has. */
function batchOf(source: Source): object[] {
  const { random } = source;
  return Array.from({ length: 1 + random.below(4) }, () => {
    const operation = random.pick(batchOperations);
    const input = generateFields(operation?.fields ?? [], source);
    if (random.chance(0.1)) mutate(input, random);
    const ifVersion = random.chance(0.1) ? { ifVersion: 1 + random.below(3) } : {};
    return { operation: operation?.name, input, ...ifVersion };
  });
}

const textOf = (value: unknown) =>
  (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 3_000).toWellFormed();

function overRest(
  operation: Operation,
  input: Record<string, unknown>,
  { random }: Source,
): FuzzCall {
  const { method, path } = operation;
  const rest = new Map(Object.entries(input));
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const text =
      encodeURIComponent(
        textOf(rest.get(field) ?? "x")
          .slice(0, 200)
          .toWellFormed(),
      ) || "x";
    rest.delete(field);
    return text === "." || text === ".." ? "x" : text;
  });
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  const isInQuery = new Set(operation.queryFields);
  for (const [field, value] of rest) {
    if (!operation.hasBody || isInQuery.has(field)) {
      for (const each of [value].flat()) query.append(field, textOf(each));
    } else body[field] = value;
  }
  const search = query.size > 0 ? `?${query.toString().slice(0, 4_000)}` : "";
  const call = { operation, api: "REST" as const, method, path: `/api/v1${filled}${search}` };
  if (operation.bodyType === undefined) return { ...call, headers: {} };
  const isJson = operation.bodyType === "application/json";
  return {
    ...call,
    headers: { "Content-Type": isJson ? operation.bodyType : "text/plain" },
    body: isJson ? JSON.stringify(body) : `bytes ${random.below(1e9)}`,
  };
}

function overTrpc(operation: Operation, input: Record<string, unknown>): FuzzCall {
  const { name } = operation;
  const call = { operation, api: "tRPC" as const };
  const text = JSON.stringify(input);
  if (isMutation(routeOf(name))) {
    const headers = { "Content-Type": "application/json" };
    return { ...call, method: "POST", path: `/trpc/${name}`, headers, body: text };
  }
  const query = encodeURIComponent(text.toWellFormed()).slice(0, 8_000);
  return { ...call, method: "GET", path: `/trpc/${name}?input=${query}`, headers: {} };
}
