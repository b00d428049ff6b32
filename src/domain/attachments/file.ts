import type { FactorSetting } from "../../kernel/access/second-factor.ts";
import { z } from "zod";
import { isVisible } from "../../contract/vocabulary/visible.ts";
import { Attachment } from "../../contract/resources/attachments.ts";
import { Bytes } from "../../contract/vocabulary/texts.ts";
import { query } from "../../kernel/procedures/query.ts";
import { authorizeMember } from "../../kernel/access/authorize.ts";
import { resolveTarget, type Target } from "../../kernel/access/resolve-target.ts";
import { policy } from "../../contract/policy.ts";
import { Failure, notFound, failure } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { fileTokens, invalidUrl } from "./file-tokens.ts";
import { servedTypes } from "./type.ts";
import type { ResponseMeta } from "../../kernel/request/context.ts";
import type { Attachment as Row } from "../../platform/db/rows.ts";

const maxLength = 255;

/**
 * A safe file name: the part after the last slash, without invisible and bidi characters.
 * A backslash is a separator on some systems, and becomes `_`.
 */
export function cleanName(name: string): string {
  const baseName = name.normalize("NFC").split("/").at(-1)?.replaceAll("\\", "_") ?? "";
  const visible = baseName.replace(/[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/gu, "").trim();
  const characters = Array.from(isVisible(visible.replaceAll(".", "")) ? visible : "file");
  if (characters.length <= maxLength) return characters.join("");
  const extension = Array.from(/\.[^.\s]{1,20}$/u.exec(characters.join(""))?.[0] ?? "");
  return [...characters.slice(0, maxLength - extension.length), ...extension].join("");
}

const FileOfUrl = z.strictObject({
  attachmentPublicId: z
    .string()
    .min(12)
    .max(64)
    .meta({ description: "Public id of the attachment.", examples: ["a9t4t2a7c1h5"] }),
  token: z
    .string()
    .max(4_000)
    .meta({
      examples: ["the-token-of-the-signed-url"],
      description: "The token in the URL from `attachment.fileUrl`.",
    }),
});
const FileInfo = Attachment.pick({ filename: true, contentType: true })
  .extend({ size: Bytes.meta({ description: "The size in bytes." }) })
  .meta({ id: "FileInfo", description: "The name, type and size of a file." });

const live = { deletedAt: null };

/** Downloads a file by a signed URL. */
export const fileOfAttachment = query("attachment.file", FileOfUrl)
  .meta(
    rest("Attachments").get(
      "/attachments/{attachmentPublicId}/file",
      "Download a file by its URL",
      "Returns the bytes of a file for a URL from `attachment.fileUrl`, as `attachment.download` " +
        "does. Returns 404 if the URL is invalid or has expired, or the file is deleted. Over " +
        "tRPC it returns name, type and size.",
      { response: "bytes", contentTypes: servedTypes, errors: ["NOT_FOUND"] },
    ),
  )
  .output(FileInfo)
  .query(async ({ ctx: { db, deps, prove, responseMeta, requestMetadata }, input }) => {
    const { counted, signer } = fileTokens(deps).verify(input.attachmentPublicId, input.token);
    // A page has more images than a client address has calls. Downloads by the
    // URL must not use up the calls of its signer, nor the sign-ins of others in the network.
    if (prove !== undefined) {
      await prove(async () => undefined);
      await deps.limits.signedUrl(counted, requestMetadata.ip);
    }
    const { attachmentPublicId } = input;
    const parents = { ...live, list: { ...live, board: { ...live, workspace: live } } };
    const attachment = await db.attachment.findFirst({
      where: { publicId: input.attachmentPublicId, ...live, card: parents },
    });
    if (attachment === null) throw notFound("attachment");
    const target = { on: "attachment", id: attachmentPublicId, lock: false } as const;
    const signed = await resolveTarget(db.query, signer, deps.clock(), target);
    if (signed === null || !isReader(signed, deps.config)) throw invalidUrl();
    serveFile(responseMeta, attachment, `URLs of ${counted}`);
    const { filename, contentType, size } = attachment;
    return { filename, contentType, size: Number(size) };
  });

/** Whether the signer of a URL may sign it now. */
function isReader(signed: Target, setting: FactorSetting): boolean {
  try {
    authorizeMember(policy["attachment.fileUrl"], signed, false, setting);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** Makes the bytes of a stored file the answer; fails for a link. They count for `countedFor`. */
export function serveFile(responseMeta: ResponseMeta, attachment: Row, countedFor?: string): void {
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
