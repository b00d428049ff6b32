import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Attachment } from "../../contract/resources/attachments.ts";
import { serveFile } from "./file.ts";
import { servedTypes } from "./type.ts";
import { showAttachment } from "../presenters/attachments.ts";

/** Downloads a file; over tRPC, answers the attachment with its URL. */
export const downloadAttachment = query("attachment.download")
  .meta(
    rest("Attachments").get(
      "/attachments/{attachmentPublicId}/content",
      "Download a file",
      "Returns the bytes of a file, with `Content-Disposition: attachment` and a content type " +
        "that no browser executes. `Range` selects one part of the file. The bytes count " +
        "towards the caller's limit per minute. Returns 404 for a link. Over tRPC it returns " +
        "the attachment, whose `url` is this address.",
      { response: "bytes", contentTypes: servedTypes },
    ),
  )
  .output(Attachment)
  .query(({ ctx: { attachment, deps, responseMeta } }) => {
    serveFile(responseMeta, attachment);
    return showAttachment(attachment, `${deps.baseUrl}/api/v1`);
  });
