import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";

<<<<<<< HEAD
/** A file or link of a card. */
=======
/** A file or link of a card. `size` is in bytes and null for links. */
>>>>>>> main
export const Attachment = z
  .object({
    publicId: z.string(),
    kind: z.enum(["file", "link"]),
    filename: z.string(),
    contentType: z.string(),
<<<<<<< HEAD
    size: z.int().nullable().meta({ description: "In bytes; null for a link." }),
    url: z.string().meta({ description: "The target of a link, or the address of the bytes." }),
=======
    size: z.int().nullable(),
    url: z.string().meta({ description: "The content of a file, or the target of a link." }),
>>>>>>> main
    version: z.int(),
    createdAt: Timestamp,
  })
  .meta({ id: "Attachment" });
