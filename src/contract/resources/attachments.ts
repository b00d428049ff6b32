import { z } from "zod";
import { AttachmentKind } from "../vocabulary/enums.ts";
import { AttachmentCount, CreatedAt, Version } from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";
import { Bytes, Timestamp, PublicId, text } from "../vocabulary/texts.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";
import type { Part } from "../fields/part.ts";

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

/** Each line of a snapshot has its own `kind`. */
const { kind: attachmentKind, ...shown } = Attachment.shape;
const AttachmentLine = z.object({ ...shown, attachmentKind, cardPublicId: z.string() });

/** A link has a `url`. A file has a size, and `file`: its name in an archive. */
const StoredAttachment = z.strictObject({
  publicId: PublicId,
  kind: AttachmentKind,
  filename: text(1, 1_000),
  contentType: z
    .string()
    .max(255)
    .regex(/^[A-Za-z0-9_.+-]+\/[A-Za-z0-9_.+-]+$/, "Must be a type such as text/plain"),
  size: z.int().min(0).nullable(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "Must be a SHA-256 in hexadecimal")
    .nullable(),
  file: z
    .string()
    .regex(/^files\/[0-9a-z]{12,64}$/, "Must be files/ and a name of a–z and 0–9")
    .nullable(),
  url: text(1, 100_000).nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** The files and links on a card. */
export const attachmentsPart = {
  tables: {
    attachments: {
      counted: "attachments",
      kind: "attachment",
      limit: { max: 500, per: "card", counts: "attachments" },
    },
  },
  summary: { attachmentCount: AttachmentCount },
  detail: {
    attachments: z.array(Attachment).meta({ description: "The files and links." }),
    attachmentCount: AttachmentCount,
  },
  stored: { attachments: z.array(StoredAttachment) },
  counted: ["attachments"],
  lines: { attachment: viewedWith("card:view", AttachmentLine) },
  selected: "the attachments of cards",
  copied: {
    what: "the files and links",
    by: "withAttachments",
    also: "copyAttachments",
    isDefault: false,
  },
} as const satisfies Part;
