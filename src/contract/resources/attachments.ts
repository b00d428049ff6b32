import { z } from "zod";
import { Bytes, Timestamp } from "../vocabulary/fields.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** A file or link of a card. */
export const Attachment = viewedWith(
  "card:view",
  z
    .object({
      publicId: z.string(),
      kind: z.enum(["file", "link"]),
      filename: z.string(),
      contentType: z.string(),
      size: Bytes.nullable().meta({ description: "The size in bytes. Null for a link." }),
      url: z
        .string()
        .meta({ description: "The target of a link, or the address that downloads the file." }),
      version: z.int(),
      createdAt: Timestamp,
    })
    .meta({ id: "Attachment" }),
);

/** A file or link with its card. */
export const AttachmentDetail = viewedWith(
  "card:view",
  Attachment.extend({ cardPublicId: z.string() }).meta({ id: "AttachmentDetail" }),
);
