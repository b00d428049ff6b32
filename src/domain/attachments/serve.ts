import type { ResponseMeta } from "../../kernel/request/context.ts";
import type { Attachment } from "../../platform/db/rows.ts";
import { failure, notFound } from "../../platform/errors.ts";

/** Makes the bytes of a stored file the answer; fails for a link. They count for `countedFor`. */
export function serveFile(
  responseMeta: ResponseMeta,
  attachment: Attachment,
  countedFor?: string,
): void {
  const { kind, status, storageKey, size, filename, contentType } = attachment;
  if (kind === "link") throw isLink();
  if (status === "pending" || size === null) throw notFound("attachment");
  if (storageKey === null) throw withoutBytes();
  const tag = attachment.sha256 ?? attachment.publicId;
  const file = { key: storageKey, filename, contentType, size: Number(size), tag };
  responseMeta.file = countedFor === undefined ? file : { ...file, countedFor };
}

const isLink = () =>
  failure("is_link", "The attachment is a link, not a file. Open its url instead.");

const withoutBytes = () => failure("no_bytes", "The file was imported without its bytes.");
