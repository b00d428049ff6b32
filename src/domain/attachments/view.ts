import { z } from "zod";
import type { Attachment as AttachmentRow } from "../../platform/db/rows.ts";
import { iso, Timestamp } from "../../contract/fields.ts";

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

/** What an attachment shows of its row. */
export type AttachmentView = Pick<
  AttachmentRow,
  "publicId" | "kind" | "filename" | "contentType" | "size" | "url" | "version" | "createdAt"
>;

/** Shows an attachment's row; `api` is the address of the REST face. */
export const viewAttachment = (
  attachment: AttachmentView,
  api: string,
): z.infer<typeof Attachment> => ({
  publicId: attachment.publicId,
  kind: attachment.kind,
  filename: attachment.filename,
  contentType: attachment.contentType,
  size: attachment.size === null ? null : Number(attachment.size),
  url: attachment.url ?? `${api}/attachments/${attachment.publicId}/content`,
  version: attachment.version,
  createdAt: iso(attachment.createdAt),
});
