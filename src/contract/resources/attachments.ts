import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";

/** A file on a card, or a link to one. `size` is in bytes, null for links; `url` is where a link goes, or where the file's bytes are. */
export const Attachment = z
  .object({
    publicId: z.string(),
    kind: z.enum(["file", "link"]),
    filename: z.string(),
    contentType: z.string(),
    size: z.int().nullable(),
    url: z.string(),
    version: z.int(),
    createdAt: Timestamp,
  })
  .meta({ id: "Attachment" });
