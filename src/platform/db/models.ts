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
