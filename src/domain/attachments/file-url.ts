import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { iso, Timestamp } from "../../contract/vocabulary/fields.ts";
import { Failure } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { serveFile } from "./serve.ts";
import { fileTokens } from "./file-tokens.ts";

const seconds = 5 * 60;
const FileUrl = z.object({ url: z.string(), expiresAt: Timestamp }).meta({ id: "FileUrl" });

/** Signs an address of a file that needs no credential, for the images of a page. */
export const fileUrl = query("attachment.fileUrl")
  .meta(
    rest("Attachments").get(
      "/attachments/{attachmentPublicId}/file-url",
      "Sign a URL of a file",
      "The URL downloads this file without a credential, for five minutes: use it where a " +
        "browser sends no header, such as in `<img>`. Everyone who has it can read the file, " +
        "as long as the caller may: it ends with the access of the credential. Downloads have a " +
        "limit of their own, for each caller who signs and each client address.",
    ),
  )
  .output(FileUrl)
  .query(({ ctx }) => {
    const { attachment, credential, deps } = ctx;
    if (credential instanceof Failure) throw credential;
    serveFile({}, attachment);
    const expiresAt = new Date(deps.clock().getTime() + seconds * 1000);
    const token = fileTokens(deps).sign(attachment.publicId, {
      counted: ctx.client,
      signer: credential,
      expires: expiresAt.getTime(),
    });
    const path = `/api/v1/attachments/${attachment.publicId}/file`;
    return { url: `${deps.baseUrl}${path}?token=${token}`, expiresAt: iso(expiresAt) };
  });
