import type { Attachment as AttachmentRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { Attachment, AttachmentDetail } from "../../contract/resources/attachments.ts";
import { iso } from "../../contract/vocabulary/texts.ts";

/** The columns that the view of an attachment shows. */
export type AttachmentView = Pick<
  AttachmentRow,
  "publicId" | "kind" | "filename" | "contentType" | "size" | "url" | "version" | "createdAt"
>;

/** The address that downloads a file. */
export const fileUrl = (api: string, { publicId }: { publicId: string }): string =>
  `${api}/attachments/${publicId}/content`;

/** Shows an attachment; `api` is the base URL of the REST API. */
export const showAttachment = (
  attachment: AttachmentView,
  api: string,
): z.infer<typeof Attachment> => ({
  publicId: attachment.publicId,
  kind: attachment.kind,
  filename: attachment.filename,
  contentType: attachment.contentType,
  size: attachment.size === null ? null : Number(attachment.size),
  url: attachment.url ?? fileUrl(api, attachment),
  version: attachment.version,
  createdAt: iso(attachment.createdAt),
});

/** Shows an attachment with its card. */
export const showAttachmentDetail = (
  attachment: AttachmentView,
  card: { publicId: string },
  { baseUrl }: { baseUrl: string },
): z.infer<typeof AttachmentDetail> => ({
  ...showAttachment(attachment, `${baseUrl}/api/v1`),
  cardPublicId: card.publicId,
});
