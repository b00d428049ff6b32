import { viewAttachment } from "../../../domain/views/attachments.ts";
import { sql } from "../../../platform/db/sql.ts";
import { completeFiles } from "../job/files.ts";
import type { LookUp } from "./identity.ts";
import type { SourceAttachment } from "./model.ts";
import { announce, insertNew, newRow, withoutKnown, type ImportStep } from "./step.ts";
import type { Cards, WrittenCard } from "./written-card.ts";

type Planned = { card: WrittenCard; attachment: SourceAttachment };

/** Writes the attachments that cards do not have yet: links, and files that were fetched. */
export async function writeAttachments(step: ImportStep, cards: Cards, known: LookUp) {
  const { tx, report, context } = step;
  const planned = await planAttachments(step, cards, known);
  await checkQuota(step, planned);
  const rows = planned.map(({ card, attachment }) => {
    const { sourceId, filename, url, file } = attachment;
    return {
      card,
      attachment,
      sourceId,
      row: {
        ...newRow(step, attachment),
        cardId: card.id,
        kind: file === null ? ("link" as const) : ("file" as const),
        status: "stored" as const,
        filename,
        contentType: file?.contentType ?? attachment.contentType ?? "text/uri-list",
        size: typeof file?.size === "number" ? BigInt(file.size) : null,
        sha256: file?.sha256 ?? null,
        storageKey: file?.storageKey ?? null,
        url: file === null ? url : null,
      },
    };
  });
  const inserted = await insertNew(step, "attachment", "attachments", rows);
  const keys = inserted.flatMap(({ row }) => row.storageKey ?? []);
  await completeFiles(tx.query, keys);
  const api = `${context.deps.baseUrl}/api/v1`;
  for (const { card, attachment, row } of inserted) {
    const { sourceId, filename: name, upload, file } = attachment;
    if (upload !== undefined && file === null)
      report.skip({ kind: "attachment", sourceId, name, partly: true, reason: linked });
    const shown = viewAttachment(row, api);
    card.events.push(() =>
      announce(step, "attachment.created", { attachment: shown, ...card.around }),
    );
  }
}

const linked = "The file was not fetched: the attachment is a link to it.";

/** Files over the quota of the workspace become links; the end of the import removes them. */
async function checkQuota({ tx, target, context }: ImportStep, planned: Planned[]) {
  const stored = planned.filter(({ attachment }) => attachment.file?.storageKey);
  if (stored.length === 0) return;
  await tx.lock("workspaces", [target.id]);
  const [row] = await tx.query<{ size: string }>(sql`
    SELECT coalesce(sum(size), 0) AS size FROM attachments
    WHERE "workspaceId" = ${target.id} AND "storageKey" IS NOT NULL`);
  let left = context.deps.config.ATTACHMENTS_QUOTA * 1024 * 1024 - Number(row?.size ?? 0);
  for (const { attachment } of stored) {
    const { file, url } = attachment;
    if (file === null) continue;
    left -= file.size ?? 0;
    if (left < 0) attachment.file = url === null ? { ...file, storageKey: null } : null;
  }
}

/** The new attachments, up to the limit of a card. */
async function planAttachments(step: ImportStep, cards: Cards, known: LookUp): Promise<Planned[]> {
  const max = step.tx.limits.attachments;
  const earlier = [...cards.values()].flatMap(({ isNew, id }) => (isNew ? [] : [id]));
  const counts = await countOn(step, earlier);
  return [...cards].flatMap(([{ attachments }, card]) => {
    const fresh = withoutKnown(step, known, "attachment", attachments);
    const reason = `A card has at most ${max} attachments.`;
    for (const { sourceId, filename: name } of fresh.splice(
      Math.max(0, max - (counts.get(card.id) ?? 0)),
    ))
      step.report.skip({ kind: "attachment", sourceId, name, reason });
    return fresh.map((attachment) => ({ card, attachment }));
  });
}

async function countOn({ tx }: ImportStep, cardIds: bigint[]): Promise<Map<bigint, number>> {
  if (cardIds.length === 0) return new Map();
  const rows = await tx.query<{ cardId: bigint; count: number }>(sql`
    SELECT "cardId", count(*)::int AS count FROM attachments
    WHERE "cardId" = ANY(${cardIds}::bigint[]) AND "deletedAt" IS NULL GROUP BY 1`);
  return new Map(rows.map(({ cardId, count }) => [cardId, count]));
}
