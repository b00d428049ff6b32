import { jsonOf } from "./insert-rows.ts";
import { rowBytes } from "./written.ts";

type Call = (model: string, method: string, args: unknown) => Promise<unknown>;
type Delegates = Record<string, Record<string, (args: unknown) => Promise<unknown>>>;

/** Calls a method of a model, both by name. */
export function callModel(models: object, ...[model, method, args]: Parameters<Call>) {
  const call = (models as Delegates)[model]?.[method];
  if (call === undefined) throw new Error(`Prisma has no ${model}.${method}.`);
  return call(args);
}

/** Prisma's models, with each method passed on to `call`. Properties can be added. */
export function modelsThat(call: Call) {
  // Models and methods are looked up by name, which types cannot express.
  const lookUp = (make: (name: string) => unknown) =>
    new Proxy(Object.create(null), {
      get: (added, name) => added[name] ?? make(String(name)),
    });
  return lookUp((model) => lookUp((method) => (args: unknown) => call(model, method, args)));
}

/** How many bytes a method of a model writes, estimated from its arguments. */
export function modelBytes(method: string, args: unknown): number {
  if (!/^(create|update|upsert)/.test(method) || typeof args !== "object") return 0;
  const rows = args !== null && "data" in args && Array.isArray(args.data) ? args.data.length : 1;
  return rows * rowBytes + Buffer.byteLength(jsonOf(args ?? {}));
}
