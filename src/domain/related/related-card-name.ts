import { z } from "zod";

/** The input field that names the other card of a relation. */
export const RelatedCardName = z
  .string()
  .regex(/^(?:(?:[A-Za-z0-9]{1,10}-)?[1-9][0-9]{0,8}|[0-9a-z]{12,32})$/, {
    error: "Must be a public id, or a number such as ENG-12",
  })
  .meta({
    description: "Public id of the other card, or its number such as `ENG-12`.",
    examples: ["q8w2e5r7t1y4"],
  });
