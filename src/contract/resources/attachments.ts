import { z } from "zod";
import { AttachmentKind } from "../vocabulary/enums.ts";
import { CreatedAt, Version } from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";
import { Bytes } from "../vocabulary/fields.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** A file or link of a card. */
export const Attachment = viewedWith(
  "card:view",
  z
    .object({
      publicId: idOf("attachment"),
      kind: AttachmentKind,
      filename: z
        .string()
        .meta({ description: "The name of the file.", examples: ["Plan for March.pdf"] }),
      contentType: z.string().meta({
        description: "The media type, such as `application/pdf`.",
        examples: ["application/pdf"],
      }),
      size: Bytes.nullable().meta({
        examples: [48213],
        description: "The size in bytes. Null for a link.",
      }),
      url: z.string().meta({
        examples: ["https://boards.example.com/api/v1/attachments/a9t4t2a7c1h5/content"],
        description: "The target of a link, or the address that downloads the file.",
      }),
      version: Version,
      createdAt: CreatedAt,
    })
    .meta({ id: "Attachment", description: "A file or link of a card." }),
);

/** A file or link with its card. */
export const AttachmentDetail = viewedWith(
  "card:view",
  Attachment.extend({ cardPublicId: idOf("card") }).meta({
    id: "AttachmentDetail",
    description: "A file or link with its card.",
  }),
);
