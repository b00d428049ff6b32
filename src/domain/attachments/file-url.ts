import { z } from "zod";
import { ExpiresAt } from "../../contract/fields/shared.ts";
import { query } from "../../kernel/procedures/query.ts";
import { iso } from "../../contract/vocabulary/texts.ts";
import { Failure } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { serveFile } from "./file.ts";
import { fileTokens } from "./file-tokens.ts";

const seconds = 5 * 60;
const FileUrl = z
  .object({
    url: z.string().meta({
      description: "The signed URL.",
      examples: ["https://boards.example.com/api/v1/attachments/a9t4t2a7c1h5/content"],
    }),
    expiresAt: ExpiresAt,
  })
  .meta({ id: "FileUrl", description: "A URL that downloads a file without a credential." });

/** Signs an address of a file that needs no credential, for the images of a page. */
export const fileUrl = query("attachment.fileUrl")
  .meta(
    rest("Attachments").get(
      "/attachments/{attachmentPublicId}/file-url",
      "Create a download URL",
      "Returns a URL that downloads a file without a credential, for five minutes. Use it where " +
        "a browser cannot send headers, such as in `<img>`. Anyone who has the URL can read the " +
        "file. It stops working when the caller loses access or the credential ends. These " +
        "downloads have their own limit, per signing caller and client address.",
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
