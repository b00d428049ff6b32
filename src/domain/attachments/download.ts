import { query } from "../../kernel/procedures/query.ts";
import { Failure, notFound } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Attachment } from "../../contract/resources/attachments.ts";
import { viewAttachment } from "../views/attachments.ts";

/** Answers the bytes of a file; over tRPC, where there are none, the attachment with the address that they are at. */
export const downloadAttachment = query("attachment.download")
  .meta(
    rest("Attachments").get(
      "/attachments/{attachmentPublicId}/content",
      "Download a file",
      "The file's bytes, to be saved: `Content-Disposition: attachment`, a content type that no browser runs, and one range at a time. A link has no bytes: 404. Over tRPC it answers the attachment, whose `url` is this address.",
      { response: "bytes" },
    ),
  )
  .output(Attachment)
  .query(({ ctx: { attachment, deps, responseMeta } }) => {
    const { kind, status, storageKey, size, filename, contentType } = attachment;
    if (kind === "link") throw isLink();
    if (status === "pending" || size === null) throw notFound("attachment");
    if (storageKey === null) throw withoutBytes();
    const tag = attachment.sha256 ?? attachment.publicId;
    responseMeta.file = { key: storageKey, filename, contentType, size: Number(size), tag };
    return viewAttachment(attachment, `${deps.baseUrl}/api/v1`);
  });

const isLink = () =>
  new Failure("NOT_FOUND", [
    { message: "The attachment is a link: what it leads to is not kept here.", code: "is_link" },
  ]);

const withoutBytes = () =>
  new Failure("NOT_FOUND", [
    { message: "Only the file's name was imported, not its bytes.", code: "no_bytes" },
  ]);
