import { usedBytes } from "../../../domain/attachments/quota.ts";
import { showAttachment } from "../../../domain/shown/attachments.ts";
import { completeFiles } from "../job/files.ts";
import { reportedOnce } from "../job/report.ts";
import { refsOf, type LookUp } from "./identity.ts";
import type { SourceAttachment } from "./model.ts";
import { writeParts } from "./parts.ts";
import { announce, lacksEdit, type Cards, type ImportedPart, type ImportStep } from "./step.ts";

/** Writes the attachments that cards do not have yet: links, and files that were fetched. */
async function writeAttachments(step: ImportStep, cards: Cards, lookUp: LookUp) {
  const { tx, report, context } = step;
  const parents = [...cards].map(([{ attachments }, card]) => [card, attachments] as const);
  const tooMuch = await checkQuota(
    step,
    parents.flatMap(([, attachments]) => attachments),
  );
  const writtenParts = await writeParts(step, lookUp, {
    kind: "attachment",
    parents,
    lacks: lacksEdit,
    nameOf: ({ filename }) => filename,
    rowOf: (base, { filename, url, file, contentType = "text/uri-list" }, card) => ({
      ...base,
      cardId: card.id,
      kind: file === null ? ("link" as const) : ("file" as const),
      status: "stored" as const,
      filename,
      contentType: file?.contentType ?? contentType,
      size: typeof file?.size === "number" ? BigInt(file.size) : null,
      sha256: file?.sha256 ?? null,
      storageKey: file?.storageKey ?? null,
      url: file === null ? url : null,
    }),
  });
  const keys = writtenParts.flatMap(({ row }) => row.storageKey ?? []);
  await completeFiles(tx.query, keys);
  const api = `${context.deps.baseUrl}/api/v1`;
  for (const { parent: card, item, row } of writtenParts) {
    const { sourceId, filename: name, fileName } = item;
    const cardPublicId = card.eventRefs.card.publicId;
    const reason = tooMuch.has(item) ? reportedOnce.overQuota : reportedOnce.linked;
    const issue = { kind: "attachment", sourceId, name, cardPublicId, reason };
    if (fileName !== undefined && row.storageKey === null)
      report.skip({ ...issue, severity: "partial" });
    const attachment = showAttachment(row, api);
    card.events.push(() => announce(step, "attachment.created", { attachment, ...card.eventRefs }));
  }
}

/** Drops and returns files over the quota of the workspace; the import removes them at its end. */
async function checkQuota({ tx, target, context }: ImportStep, attachments: SourceAttachment[]) {
  const withFile = attachments.filter(({ file }) => file?.storageKey);
  const over = new Set<SourceAttachment>();
  if (withFile.length === 0) return over;
  const quota = context.deps.config.ATTACHMENTS_QUOTA * 1024 * 1024;
  let bytesLeft = quota - (await usedBytes(tx, target.id));
  for (const attachment of withFile) {
    const { file, url } = attachment;
    if (file === null) continue;
    bytesLeft -= file.size ?? 0;
    if (bytesLeft >= 0) continue;
    attachment.file = url === null ? { ...file, storageKey: null } : null;
    over.add(attachment);
  }
  return over;
}

/** The files and links on cards. */
export const attachments: ImportedPart = {
  refs: (card) => refsOf("attachment", card.attachments),
  write: writeAttachments,
};
