import { externalMutation } from "../../kernel/procedures/external.ts";
import type { Attachment as AttachmentRow } from "../../platform/db/rows.ts";
import { conflict } from "../../platform/errors.ts";
import type { Files } from "../../platform/storage/store.ts";
import { rest } from "../../kernel/request/rest.ts";
import { completeUpload } from "./pending.ts";
import { headBytes, typeOf } from "./type.ts";
import { Attachment } from "../../contract/resources/attachments.ts";
import { viewAttachment } from "../views/attachments.ts";

/** Makes a file that was sent straight to the storage an attachment, with its size and type as they are found. */
export const confirmAttachment = externalMutation("attachment.confirm")
  .meta(
    rest("Attachments").post(
      "/attachments/{attachmentPublicId}/confirm",
      "Confirm an upload to the storage",
      "Makes a file that was sent to the address of `attachment.prepare` an attachment, with its size and type as they are found; 409 when it is not there, or not of the size that was announced. Done twice it answers the same.",
    ),
  )
  .output(Attachment)
  .mutation(async ({ ctx: { attachment, deps, db, transact } }) => {
    const show = (row: AttachmentRow) => viewAttachment(row, `${deps.baseUrl}/api/v1`);
    if (attachment.status === "stored") return show(attachment);
    const found = await examine(deps.files, attachment);
    const kept = await transact((tx) => completeUpload(tx, attachment, found, deps));
    return kept ?? show(await db.attachment.findUniqueOrThrow({ where: { id: attachment.id } }));
  });

/** Takes over what was sent, and looks at it where nobody can change it any more. */
async function examine(files: Files, { storageKey, size, contentType }: AttachmentRow) {
  if (files.direct === undefined || storageKey === null)
    throw conflict("There is nothing to confirm.");
  const found = await files.direct.take(storageKey);
  if (found === null) throw conflict("The file has not been uploaded yet.");
  if (BigInt(found) !== size) {
    await files.remove(storageKey);
    throw conflict(`The file has ${found} bytes in place of the ${size} that were announced.`);
  }
  const head: Uint8Array[] = [];
  const range = { start: 0, end: Math.min(headBytes, found) - 1 };
  for await (const chunk of await files.get(storageKey, range)) head.push(chunk);
  return { size: found, contentType: await typeOf(Buffer.concat(head), contentType) };
}
