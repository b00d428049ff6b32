import { z } from "zod";
import { webhookEventTypes } from "../../contract/events.ts";

const resources = new Set(webhookEventTypes.map((type) => type.split(".", 1).join("")));
const typesOf = (resource: string) =>
  webhookEventTypes.flatMap((type) => {
    const [subject, what = ""] = type.split(".");
    return subject === resource ? [what] : [];
  });
const alternatives = [...resources].map(
  (resource) => String.raw`${resource}\.(?:\*|${typesOf(resource).join("|")})`,
);

/** Which events a webhook receives: one type, `card.*` for all of a resource, or `*` for all. */
export const EventPattern = z
  .string()
  .max(100)
  .refine(
    (text) =>
      text === "*" ||
      webhookEventTypes.some((type) => type === text) ||
      (text.endsWith(".*") && resources.has(text.slice(0, -2))),
    {
      error: "Must be an event type, a resource followed by `.*`, or `*`",
      params: { code: "invalid_value" },
    },
  )
  .meta({ pattern: String.raw`^(?:\*|${alternatives.join("|")})$` });

/** The patterns of a webhook, without duplicates. */
export const EventPatterns = z
  .array(EventPattern)
  .min(1)
  .max(100)
  .overwrite((patterns) => [...new Set(patterns)])
  .meta({
    description:
      "Event types such as `card.created`, `card.*` for all of a resource, or `*` for all.",
    examples: [["card.*", "list.created"]],
  });
