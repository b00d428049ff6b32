import type { Attachment, Card } from "../../platform/db/rows.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkCount } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { conflict } from "../../platform/errors.ts";
import { newKey } from "../../platform/storage/store.ts";
import { discardUpload } from "./pending.ts";
import { checkQuota } from "./quota.ts";

/** Attachments on their way to another card, each with the file that it is a copy of. */
export type Copies = { row: Attachment; from: string | null }[];

/** Notes copies of all that is attached to a card, pending on the card itself, so that whatever becomes of them is known; 409 without room for them. */
export async function expectCopies(tx: UnitOfWork, card: Card, quota: number): Promise<Copies> {
  await tx.lock("cards", [card.id]);
  const rows = await tx.prisma.attachment.findMany({
    where: { cardId: card.id, deletedAt: null, status: "stored" },
    orderBy: { id: "asc" },
    omit: { id: true, createdAt: true, updatedAt: true, version: true },
  });
  checkCount(tx.limits, "attachments", rows.length);
  const bytes = rows.reduce((sum, { size }) => sum + Number(size ?? 0), 0);
  await checkQuota(tx, card.workspaceId, quota, bytes);
  const copies = rows.map((row) => ({
    ...row,
    publicId: publicId(),
    storageKey: row.storageKey === null ? null : newKey(),
    status: "pending" as const,
    createdAt: tx.now,
    updatedAt: tx.now,
  }));
  const made = await tx.prisma.attachment.createManyAndReturn({ data: copies });
  const sources = new Map(
    copies.map((copy, nth) => [copy.publicId, rows[nth]?.storageKey ?? null]),
  );
  return made.map((row) => ({ row, from: sources.get(row.publicId) ?? null }));
}

/** Copies the files, one after the other. */
export async function copyFiles({ files }: Pick<Deps, "files">, copies: Copies): Promise<void> {
  for (const { row, from } of copies) {
    if (row.storageKey !== null && from !== null) await files.copy(from, row.storageKey);
  }
}

/** Hangs copies whose files are there on the card that they were made for. */
export async function hangCopies(tx: UnitOfWork, copies: Copies, card: Card): Promise<void> {
  const { count } = await tx.prisma.attachment.updateMany({
    where: { id: { in: copies.map(({ row }) => row.id) }, status: "pending", deletedAt: null },
    data: { cardId: card.id, workspaceId: card.workspaceId, status: "stored" },
  });
  if (count < copies.length) throw conflict("The copies of the files are not there any more.");
}

/** Forgets copies for a card that did not come about. */
export async function forgetCopies(
  deps: Pick<Deps, "db" | "files" | "log">,
  copies: Copies,
): Promise<void> {
  for (const { row } of copies) await discardUpload(deps, row);
}
