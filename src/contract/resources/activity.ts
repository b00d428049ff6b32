import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";

/**
 * An entry of a history. `data` has the resource under its own name, `changes` the old and new
 * values.
 */
export const Activity = z
  .object({
    publicId: z.string(),
    type: z.string(),
    actor: z.object({
      type: z.enum(["user", "apiKey", "import", "system"]),
      publicId: z.string().nullable(),
      name: z.string(),
    }),
    data: z.record(z.string(), z.unknown()),
    changes: z.record(z.string(), z.unknown()).nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: "Activity" });
