import { router } from "../../kernel/request/trpc.ts";
import { confirmAttachment } from "../../domain/attachments/confirm.ts";
import { deleteAttachment } from "../../domain/attachments/delete.ts";
import { downloadAttachment } from "../../domain/attachments/download.ts";
import { fileUrl } from "../../domain/attachments/file-url.ts";
import { fileOfAttachment } from "../../domain/attachments/file.ts";
import { prepareAttachment } from "../../domain/attachments/prepare.ts";
import { uploadAttachment } from "../../domain/attachments/upload.ts";

/** Files and links on cards. */
export const attachments = router({
  upload: uploadAttachment,
  prepare: prepareAttachment,
  confirm: confirmAttachment,
  download: downloadAttachment,
  fileUrl,
  file: fileOfAttachment,
  delete: deleteAttachment,
});
