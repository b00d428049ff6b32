import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";

/** A file or link of a card. `size` is in bytes and null for links. */
export const Attachment = z
  .object({
    publicId: z.string(),
    kind: z.enum(["file", "link"]),
    filename: z.string(),
    contentType: z.string(),
    size: z.int().nullable(),
    url: z.string().meta({ description: "The content of a file, or the target of a link." }),
    version: z.int(),
    createdAt: Timestamp,
  })
  .meta({ id: "Attachment" });
