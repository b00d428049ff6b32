import { query } from "../../kernel/procedures/query.ts";
import { notFound, failure } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Attachment } from "../../contract/resources/attachments.ts";
import { servedTypes } from "./type.ts";
import { viewAttachment } from "../views/attachments.ts";

/** Downloads a file; over tRPC, answers the attachment with its URL. */
export const downloadAttachment = query("attachment.download")
  .meta(
    rest("Attachments").get(
      "/attachments/{attachmentPublicId}/content",
      "Download a file",
      "The bytes of a file, with `Content-Disposition: attachment` and a content type that no " +
        "browser executes. Supports one range per request. 404 for a link. Over tRPC it answers " +
        "the attachment, whose `url` is this address.",
      { response: "bytes", contentTypes: servedTypes },
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
  failure("is_link", "The attachment is a link, not a file. Open its url instead.");

const withoutBytes = () => failure("no_bytes", "The file was imported without its bytes.");
