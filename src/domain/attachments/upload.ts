import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { notFound, failure } from "../../platform/errors.ts";
import { text } from "../../contract/vocabulary/texts.ts";
import { tooLarge } from "../../platform/http/body.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cleanName } from "./file.ts";
import { completeUpload, discardUploads, reserveUpload } from "./pending.ts";
import { fileBytes } from "./quota.ts";
import { storeFile, storeReserved } from "./store.ts";
import { showAttachmentDetail as viewDetail } from "../presenters/attachments.ts";
import { AttachmentDetail } from "../../contract/resources/attachments.ts";

const Upload = z
  .strictObject({
    filename: text(1, 4_000)
      .meta({
        examples: ["Plan for March.pdf"],
        description: "The file's name, unless a `Content-Disposition` header gives it.",
      })
      .optional(),
  })
  .refine(({ filename }) => filename !== undefined, {
    error: "Name the file: set ?filename=, a Content-Disposition header, or the filename in a form",
    path: ["filename"],
    params: { code: "required" },
  });

/** Attaches the request body to a card as a file, while it streams in. */
export const uploadAttachment = externalMutation("attachment.upload", Upload, {
  async onReplay({ attachment, card, deps }) {
    if (attachment.status === "stored") return viewDetail(attachment, card, deps);
    // An upload that a crash or a lost connection has interrupted.
    await discardUploads(deps, [attachment]);
    return undefined;
  },
})
  .meta(
    rest("Attachments").post(
      "/cards/{cardPublicId}/attachments",
      "Attach a file to a card",
      "Attaches a file of 0 bytes to 50 MiB to a card. The body is the file, or a form with one " +
        "file. Its name comes from `filename`, the form or the `Content-Disposition` header. Its " +
        "type is detected from its first bytes; `Content-Type` counts for plain text only. " +
        "Returns 415 for a JSON body whose name does not end in `.json`; a JSON body without a " +
        "name is a link, as in `attachment.link`. Files are accepted over REST only; tRPC " +
        "returns 415.",
      { requestBody: "bytes" },
    ),
  )
  .output(AttachmentDetail)
  .mutation(async ({ ctx, input }) => {
    const { requestBody, deps, transact, newId: publicId } = ctx;
    if (requestBody === undefined) throw restOnly();
    const { length, contentType } = requestBody;
    if (length !== undefined && length > fileBytes) throw tooLarge(fileBytes);
    const filename = cleanName(input.filename ?? "");
    const expected = { publicId, filename, contentType: "application/octet-stream", size: length };
    return storeReserved({
      // The card may have moved to another workspace since the call began.
      reserve: () =>
        transact((tx, { card, workspace }) =>
          reserveUpload(tx, { ...ctx, card, workspace }, expected),
        ),
      store: ({ storageKey }) =>
        storeFile(deps.files, storageKey ?? "", requestBody.bytes, contentType),
      async complete(pending, file) {
        const attachment = await transact((tx, target) =>
          completeUpload(tx, pending, file, target, deps),
        );
        if (attachment === null) throw notFound("attachment");
        return attachment;
      },
      discard: (pending) => discardUploads(deps, [pending]),
    });
  });

const restOnly = () =>
  failure(
    "rest_only",
    "Files are uploaded over REST only: POST to /api/v1/cards/{cardPublicId}/attachments.",
  );
