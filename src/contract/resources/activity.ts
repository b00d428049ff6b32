import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";

/** An event of the history of a card or board. */
export const Activity = z
  .object({
    publicId: z.string(),
    type: z.string(),
    actor: z.object({
      type: z.enum(["user", "apiKey", "import", "system"]),
      publicId: z.string().nullable(),
      name: z.string(),
    }),
    data: z.record(z.string(), z.unknown()).meta({
      description: "The resource under its own name, and its parents.",
    }),
    changes: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The changed fields, each with `from` and `to`." }),
    createdAt: Timestamp,
  })
  .meta({ id: "Activity" });
