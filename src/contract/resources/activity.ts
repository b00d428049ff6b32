import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";

/** Something that happened, as a history shows it: `data` holds the thing under its own name, `changes` says what of it became what. */
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
