import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external.ts";
import { badRequest, Failure, notFound } from "../../platform/errors.ts";
import { text } from "../../contract/vocabulary/fields.ts";
import { tooLarge } from "../../platform/http/body.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cleanName } from "./filename.ts";
import { reserveUpload, discardUpload, completeUpload } from "./pending.ts";
import { fileBytes } from "./quota.ts";
import { peek, typeOf } from "./type.ts";
import { Attachment } from "../../contract/resources/attachments.ts";

const Upload = z
  .strictObject({
    filename: text(1, 4_000)
      .meta({ description: "The file's name, unless a `Content-Disposition` header gives it." })
      .optional(),
  })
  .refine(({ filename }) => filename !== undefined, {
    error: "Name the file, as ?filename= or in a Content-Disposition header",
    path: ["filename"],
  });

/** Attaches a file to a card: the bytes of the request's body, as they come. */
export const uploadAttachment = externalMutation("attachment.upload", Upload)
  .meta(
    rest("Attachments").post(
      "/cards/{cardPublicId}/attachments",
      "Attach a file to a card",
      "The body is the file itself, of any content type and at most 50 MiB. Its name comes from `filename` or from a `Content-Disposition` header; its type from its first bytes, and from `Content-Type` only where it is plain text. REST only: over tRPC it is 415.",
      { requestBody: "bytes" },
    ),
  )
  .output(Attachment)
  .mutation(async ({ ctx, input }) => {
    const { requestBody, deps, transact } = ctx;
    if (requestBody === undefined) throw restOnly();
    const { length, contentType } = requestBody;
    if (length !== undefined && length > fileBytes) throw tooLarge(fileBytes);
    const filename = cleanName(input.filename ?? "");
    const expected = { filename, contentType: "application/octet-stream", size: length };
    const pending = await transact((tx) => reserveUpload(tx, ctx, expected));
    try {
      const { bytes, head } = peek(requestBody.bytes);
      const stored = await deps.files.put(pending.storageKey ?? "", bytes, fileBytes);
      if (stored.size === 0) throw badRequest("The body is empty.");
      const found = { ...stored, contentType: await typeOf(head(), contentType) };
      const attachment = await transact((tx) => completeUpload(tx, pending, found, deps));
      if (attachment === null) throw notFound("attachment");
      return attachment;
    } catch (error) {
      await discardUpload(deps, pending);
      throw error;
    }
  });

const restOnly = () =>
  new Failure("UNSUPPORTED_MEDIA_TYPE", [
    {
      message:
        "A file's bytes go over REST only: POST them to /api/v1/cards/{cardPublicId}/attachments.",
      code: "rest_only",
    },
  ]);
