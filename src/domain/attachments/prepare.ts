import { z } from "zod";
import { ExpiresAt } from "../../contract/fields/shared.ts";
import { idOf } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { Attachment } from "../../platform/db/rows.ts";
import { conflict } from "../../platform/errors.ts";
import { Bytes, iso, text } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cleanName } from "./file.ts";
import { reserveUpload } from "./pending.ts";
import { fileBytes } from "./quota.ts";

const seconds = 15 * 60;

const File = z.strictObject({
  filename: text(1, 4_000).meta({
    description: "The name of the file.",
    examples: ["Plan for March.pdf"],
  }),
  contentType: z
    .string()
    .max(255)
    .regex(/^[A-Za-z0-9_.+-]+\/[A-Za-z0-9_.+-]+$/, "Must be a content type such as image/png")
    .meta({
      description: "The media type of the file, such as `image/png`.",
      examples: ["application/pdf"],
    }),
  size: Bytes.min(0)
    .max(fileBytes)
    .meta({ examples: [48213], description: "The size in bytes.", format: "int64" }),
});
const UploadUrl = z
  .object({
    attachmentPublicId: idOf(
      "attachment",
      "Public id of the attachment, for `attachment.confirm`.",
    ),
    url: z.string().meta({
      description: "The address that accepts the file.",
      examples: ["https://boards.example.com/api/v1/attachments/a9t4t2a7c1h5/content"],
    }),
    method: z.literal("PUT").meta({ description: "The HTTP method." }),
    headers: z
      .object({
        "content-type": z
          .string()
          .meta({ description: "The media type of the file.", examples: ["application/pdf"] }),
      })
      .meta({ description: "The headers that the upload must have." }),
    expiresAt: ExpiresAt,
  })
  .meta({ id: "UploadUrl", description: "An address that accepts one upload." });

/** Prepares the direct upload of a file to S3 storage. */
export const prepareAttachment = mutation("attachment.prepare", File, {
  onReplay: ({ attachment, ...ctx }) => uploadUrl(attachment, ctx),
})
  .meta(
    rest("Attachments").post(
      "/cards/{cardPublicId}/attachments/upload-url",
      "Prepare a direct upload",
      "Returns a URL that accepts one PUT of a file of the given type and size, for 15 minutes. " +
        "Call `attachment.confirm` after the upload. The size counts towards the caller's daily " +
        "limit of files. Returns 409 if the service does not use S3 storage.",
    ),
  )
  .output(UploadUrl)
  .mutation(async ({ ctx, input }) => {
    const { deps, newId: publicId, tx } = ctx;
    if (deps.files.direct === undefined) throw unavailableHere();
    const { contentType, size } = input;
    const filename = cleanName(input.filename);
    await tx.copied.addFile(size);
    const pending = await reserveUpload(tx, ctx, { publicId, filename, contentType, size });
    return uploadUrl(pending, { deps, tx });
  });

async function uploadUrl(pending: Attachment, { deps, tx }: { deps: Deps; tx: UnitOfWork }) {
  const { direct } = deps.files;
  if (direct === undefined) throw unavailableHere();
  if (pending.status === "stored")
    throw conflict("already_uploaded", "The attachment has already been uploaded.");
  const { contentType, size } = pending;
  return {
    attachmentPublicId: pending.publicId,
    url: await direct.presign(pending.storageKey ?? "", {
      contentType,
      size: Number(size),
      seconds,
    }),
    method: "PUT" as const,
    headers: { "content-type": contentType },
    expiresAt: iso(new Date(tx.now.getTime() + seconds * 1000)),
  };
}

const unavailableHere = () =>
  conflict(
    "direct_upload_unavailable",
    "Direct uploads need S3 storage. Use attachment.upload instead.",
  );
