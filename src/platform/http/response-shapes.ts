import type { z } from "zod";

/** Where threads find a shape: the module that exports it, and its name there. */
export type Origin = { module: string; name: string };
const origins = new WeakMap<z.ZodType, Origin>();

/** Declares the shapes of answers that a module exports, by their names. It passes its own URL. */
export function declareResponses(module: string, shapes: Record<string, z.ZodType>): void {
  for (const [name, shape] of Object.entries(shapes)) origins.set(shape, { module, name });
}

/** Where a declared shape is exported. */
export function originOf(shape: z.ZodType): Origin {
  const origin = origins.get(shape);
  if (origin === undefined) throw new Error("Declare the shape of the answer.");
  return origin;
}

/** Loads a shape by its origin. */
export async function loadShape({ module, name }: Origin): Promise<z.ZodType> {
  const exported: Record<string, z.ZodType | undefined> = await import(module);
  const shape = exported[name];
  if (shape === undefined) throw new Error(`${module} does not export ${name}.`);
  return shape;
}
