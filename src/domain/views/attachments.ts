import type { Attachment as AttachmentRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { Attachment } from "../../contract/resources/attachments.ts";
import { iso } from "../../contract/vocabulary/fields.ts";

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
