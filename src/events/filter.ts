import { z } from "zod";
import { PublicId } from "../fields.ts";
import { eventTypes } from "./catalog.ts";

/** Which events somebody wants. */
export const EventFilter = z.strictObject({
  types: z
    .array(z.enum(eventTypes))
    .min(1)
    .max(eventTypes.length)
    .meta({ description: "Only events of these types." })
    .optional(),
  boardPublicId: PublicId.meta({
    description: "Only what happens on this board, and cards that leave it.",
  }).optional(),
});
