import { z } from "zod";
import { detached, textOf } from "../../platform/foreign-text.ts";

// Shapes of other services accept any type for most fields: the mapping reports what it cannot use.

/** An id without characters that the database rejects. */
export const SourceId = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((text) => textOf(text) === text);
export const maybeId = SourceId.nullable().catch(null);
export const anyValue = z.unknown().optional();
/** A text that stays in memory; "" for what is no text. */
export const memoryText = (max: number) =>
  z
    .string()
    .nullish()
    .catch("")
    .transform((value) => (value === null || value === undefined ? null : detached(value, max)));
/** Longer than any name that is stored or reported. */
export const anyName = memoryText(5_000);
export const anyList = z.array(z.unknown()).catch([]);
export const flag = z.boolean().catch(false);
/** Positions are numbers of any size; without one a resource comes last. */
export const position = z.number().catch(Number.MAX_VALUE);
