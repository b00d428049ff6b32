import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import type { Attachment as AttachmentRow } from "../../platform/db/rows.ts";
import { conflict } from "../../platform/errors.ts";
import type { Files } from "../../platform/storage/store.ts";
import { rest } from "../../kernel/request/rest.ts";
import { completeUpload } from "./pending.ts";
import { headBytes, typeOf } from "./type.ts";
import { AttachmentDetail } from "../../contract/resources/attachments.ts";
import { showAttachmentDetail } from "../presenters/attachments.ts";

/** Completes an upload to an address from `attachment.prepare`. */
export const confirmAttachment = externalMutation("attachment.confirm")
  .meta(
    rest("Attachments").post(
      "/attachments/{attachmentPublicId}/confirm",
      "Confirm a direct upload",
      "Completes an upload to the URL from `attachment.prepare`. Size and type are read from the " +
        "stored file. Calling it again returns the same response. Returns 409 if the file is " +
        "missing or its size is not the prepared one.",
    ),
  )
  .output(AttachmentDetail)
  .mutation(async ({ ctx: { attachment, card, deps, db, transact } }) => {
    const show = (row: AttachmentRow) => showAttachmentDetail(row, card, deps);
    if (attachment.status === "stored") return show(attachment);
    const content = await examine(deps.files, attachment);
    const detail = await transact((tx, target) =>
      completeUpload(tx, attachment, content, target, deps),
    );
    return detail ?? show(await db.attachment.findUniqueOrThrow({ where: { id: attachment.id } }));
  });

/** Moves the uploaded file to where clients cannot write, then reads its size and type. */
async function examine(files: Files, { storageKey, size, contentType }: AttachmentRow) {
  if (files.direct === undefined || storageKey === null) {
    throw conflict("not_prepared", "The attachment was not prepared for a direct upload.");
  }
  const storedSize = await files.direct.take(storageKey);
  if (storedSize === null)
    throw conflict(
      "not_uploaded",
      "The file is not uploaded yet. Send it to the prepared URL first.",
    );
  if (BigInt(storedSize) !== size) {
    await files.remove(storageKey);
    throw conflict(
      "size_mismatch",
      `The file has ${storedSize} bytes instead of the expected ${size}.`,
    );
  }
  const head: Uint8Array[] = [];
  const range = { start: 0, end: Math.min(headBytes, storedSize) - 1 };
  // An empty file has no range.
  if (storedSize > 0)
    for await (const chunk of await files.get(storageKey, range)) head.push(chunk);
  return { size: storedSize, contentType: await typeOf(Buffer.concat(head), contentType) };
}
