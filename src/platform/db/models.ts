import { jsonOf } from "./insert-rows.ts";
import { rowBytes } from "./written.ts";

type Call = (model: PropertyKey, method: PropertyKey, args: unknown) => Promise<unknown>;

/** Prisma's models, each method of which is a call of `call`. Properties can be added to them. */
export function modelsThat(call: Call) {
  // Models and methods are looked up by name, which types cannot express.
  const lookUp = (make: (name: PropertyKey) => unknown) =>
    new Proxy(Object.create(null), {
      get: (own, name) => Reflect.get(own, name) ?? make(name),
    });
  return lookUp((model) => lookUp((method) => (args: unknown) => call(model, method, args)));
}

/** The bytes that count for what a method of a model writes. */
export function modelBytes(method: PropertyKey, args: unknown): number {
  if (!/^(create|update|upsert)/.test(String(method)) || typeof args !== "object") return 0;
  const rows = args !== null && "data" in args && Array.isArray(args.data) ? args.data.length : 1;
  return rows * rowBytes + Buffer.byteLength(jsonOf(args ?? {}));
}
