import { router } from "../trpc.ts";
import { confirmAttachment } from "./confirm.ts";
import { deleteAttachment } from "./delete.ts";
import { downloadAttachment } from "./download.ts";
import { prepareAttachment } from "./prepare.ts";
import { uploadAttachment } from "./upload.ts";

/** Files and links on cards. */
export const attachments = router({
  upload: uploadAttachment,
  prepare: prepareAttachment,
  confirm: confirmAttachment,
  download: downloadAttachment,
  delete: deleteAttachment,
});
