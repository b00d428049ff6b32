import type { Caller } from "../../kernel/access/callers.ts";
import type { Attachment, Card } from "../../platform/db/rows.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkCount } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { conflict } from "../../platform/errors.ts";
import { newStorageKey } from "../../platform/storage/store.ts";
import { discardUploads } from "./pending.ts";
import { checkQuota } from "./quota.ts";

/** Pending copies of attachments, each with the storage key of its source. */
export type AttachmentCopies = { row: Attachment; from: string | null }[];

/**
 * Reserves copies of all attachments of a card; 409 beyond the quota of the workspace, and 429
 * beyond what the caller may store in a day.
 *
 * They stay pending on the source card until the new card exists, so that the purge finds them.
 */
export async function reserveCopies(
  tx: UnitOfWork,
  card: Card,
  quota: number,
): Promise<AttachmentCopies> {
  const sources = await tx.prisma.attachment.findMany({
    where: { cardId: card.id, deletedAt: null, status: "stored" },
    orderBy: { id: "asc" },
    omit: { id: true, createdAt: true, updatedAt: true, version: true },
  });
  checkCount(tx.limits, "attachments", sources.length);
  const bytes = bytesOf(sources);
  await checkQuota(tx, card.workspaceId, quota, bytes);
  await tx.copied.addFile(bytes);
  const copies = sources.map((source) => ({
    ...source,
    publicId: publicId(),
    storageKey: source.storageKey === null ? null : newStorageKey(),
    status: "pending" as const,
    createdAt: tx.now,
    updatedAt: tx.now,
  }));
  const rows = await tx.prisma.attachment.createManyAndReturn({ data: copies });
  const sourceKeys = new Map(
    copies.map((copy, nth) => [copy.publicId, sources[nth]?.storageKey ?? null]),
  );
  return rows.map((row) => ({ row, from: sourceKeys.get(row.publicId) ?? null }));
}

const bytesOf = (rows: Pick<Attachment, "size">[]) =>
  rows.reduce((sum, { size }) => sum + Number(size ?? 0), 0);

/** Copies the files, one after the other. */
export async function copyFiles(
  { files }: Pick<Deps, "files">,
  copies: AttachmentCopies,
): Promise<void> {
  for (const { row, from } of copies) {
    if (row.storageKey !== null && from !== null) await files.copy(from, row.storageKey);
  }
}

/** Attaches copies whose files are stored to a new card. */
export async function completeCopies(
  tx: UnitOfWork,
  copies: AttachmentCopies,
  card: Card,
): Promise<void> {
  if (copies.length === 0) return;
  const { count } = await tx.prisma.attachment.updateMany({
    where: { id: { in: copies.map(({ row }) => row.id) }, status: "pending", deletedAt: null },
    data: { cardId: card.id, workspaceId: card.workspaceId, status: "stored" },
  });
  if (count < copies.length) {
    throw conflict(
      "attachments_changed",
      "The attachments were deleted while they were copied. Try again.",
    );
  }
}

/** Discards copies for a card that was not created: they do not count for their user. */
export async function discardCopies(
  deps: Pick<Deps, "db" | "files" | "log" | "uploads">,
  copies: AttachmentCopies,
  { userId }: Pick<Caller, "userId">,
): Promise<void> {
  const rows = copies.map(({ row }) => row);
  await deps.uploads.bytes.refund(String(userId), bytesOf(rows));
  await discardUploads(deps, rows);
}
