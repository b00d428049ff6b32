import { readSpace } from "../../../domain/attachments/quota.ts";
import { showAttachment } from "../../../domain/presenters/attachments.ts";
import { completeFiles } from "../job/files.ts";
import { reportedOnce } from "../job/report.ts";
import { refsOf, type LookUp } from "./identity.ts";
import type { SourceAttachment, StoredFiles } from "./source.ts";
import { writeParts } from "./parts.ts";
import { announce, lacksEdit, type Cards, type ImportedPart, type ImportStep } from "./step.ts";

/** Writes the attachments that cards do not have yet: links, and files that were stored. */
async function writeAttachments(
  step: ImportStep,
  cards: Cards,
  lookUp: LookUp,
  files: StoredFiles,
) {
  const { tx, report, context } = step;
  const parents = [...cards].map(([{ attachments }, card]) => [card, attachments] as const);
  const overQuota = await findOverQuota(
    step,
    parents.flatMap(([, attachments]) => attachments),
    files,
  );
  const writtenParts = await writeParts(step, lookUp, {
    kind: "attachment",
    parents,
    lacks: lacksEdit,
    nameOf: ({ filename }) => filename,
    rowOf: (base, attachment, card) => {
      const { filename, url } = attachment;
      const file = overQuota.has(attachment) ? undefined : files.get(attachment);
      const isFile = file !== undefined || url === null;
      const { contentType, size, sha256 } = file ?? attachment;
      return {
        ...base,
        cardId: card.id,
        kind: isFile ? ("file" as const) : ("link" as const),
        status: "stored" as const,
        filename,
        contentType,
        size: size === null ? null : BigInt(size),
        sha256,
        storageKey: file?.storageKey ?? null,
        url: isFile ? null : url,
      };
    },
  });
  const keys = writtenParts.flatMap(({ row }) => row.storageKey ?? []);
  await completeFiles(tx.query, keys);
  const api = `${context.deps.baseUrl}/api/v1`;
  for (const { parent: card, item, row } of writtenParts) {
    const { publicId: sourceId, filename: name } = item;
    const cardPublicId = card.eventRefs.card.publicId;
    const reason = overQuota.has(item) ? reportedOnce.overQuota : reportedOnce.linked;
    const issue = { kind: "attachment", sourceId, name, cardPublicId, reason };
    if (item.file !== null && row.storageKey === null)
      report.skip({ ...issue, severity: "partial" });
    const attachment = showAttachment(row, api);
    card.events.push(() => announce(step, "attachment.created", { attachment, ...card.eventRefs }));
  }
}

/** The attachments whose files exceed the quota; the import removes these files at its end. */
async function findOverQuota(
  { tx, target, context }: ImportStep,
  attachments: SourceAttachment[],
  files: StoredFiles,
) {
  const over = new Set<SourceAttachment>();
  if (files.size === 0) return over;
  const { ATTACHMENTS_QUOTA } = context.deps.config;
  let { freeBytes: bytesLeft } = await readSpace(tx, target.id, ATTACHMENTS_QUOTA);
  for (const attachment of attachments) {
    const file = files.get(attachment);
    if (file === undefined) continue;
    bytesLeft -= file.size ?? 0;
    if (bytesLeft < 0) over.add(attachment);
  }
  return over;
}

/** The files and links on cards. */
export const attachments: ImportedPart = {
  refs: (card) => refsOf("attachment", card.attachments),
  write: writeAttachments,
};
