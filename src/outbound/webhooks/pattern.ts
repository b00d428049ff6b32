import { z } from "zod";
import { catalog } from "../../contract/events.ts";

const kinds = new Set(Object.keys(catalog).map((type) => type.split(".", 1).join("")));

/** A type of event, as input. */
export const EventType = z
  .string()
  .max(100)
  .refine((type) => Object.hasOwn(catalog, type), "Must be an event type");

/** What a webhook listens to: an event type, `card.*` for all of a kind, or `*` for all. */
export const EventPattern = z
  .string()
  .max(100)
  .refine(
    (text) =>
      text === "*" ||
      Object.hasOwn(catalog, text) ||
      (text.endsWith(".*") && kinds.has(text.slice(0, -2))),
    { error: "Must be an event type, a kind with .*, or *" },
  );

/** All that a webhook listens to, each once. */
export const EventPatterns = z
  .array(EventPattern)
  .min(1)
  .max(100)
  .overwrite((patterns) => [...new Set(patterns)]);
