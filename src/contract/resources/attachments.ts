import { z } from "zod";
import { Bytes, Timestamp, PublicId, text } from "../vocabulary/fields.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";
import type { Part } from "../fields/part.ts";

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

/** Each line of a snapshot has a `kind` of its own. */
const { kind: attachmentKind, ...shown } = Attachment.shape;
const AttachmentLine = z.object({ ...shown, attachmentKind, cardPublicId: z.string() });

/** A link has a `url`. A file has a size, and `file`: its name in an archive. */
const StoredAttachment = z.strictObject({
  publicId: PublicId,
  kind: z.enum(["file", "link"]),
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
      limit: { most: 500, per: "card", counts: "attachments" },
    },
  },
  summary: { attachmentCount: z.int() },
  detail: { attachments: z.array(Attachment), attachmentCount: z.int() },
  stored: { attachments: z.array(StoredAttachment) },
  counted: ["attachments"],
  lines: { attachment: viewedWith("card:view", AttachmentLine) },
  selected: "the attachments of cards",
  copied: { by: "withAttachments", also: "copyAttachments", isDefault: false },
} as const satisfies Part;
