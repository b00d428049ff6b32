import type { Caller } from "../../kernel/access/callers.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkLimit } from "../../kernel/limits.ts";
import type { Attachment } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { EventData } from "../../contract/event-data.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { newStorageKey } from "../../platform/storage/store.ts";
import { checkQuota, fileBytes } from "./quota.ts";
import { discardStoredFiles } from "./store.ts";
import { showAttachment } from "../presenters/attachments.ts";
import { sql } from "../../platform/db/sql.ts";

type Target = {
  card: { id: bigint };
  workspace: { id: bigint };
  caller: Caller;
  deps: Pick<Deps, "config" | "baseUrl">;
};

/** Reserves an attachment on a locked card for a file to store; 409 beyond limit or quota. */
export async function reserveUpload(
  tx: UnitOfWork<never>,
  { card, workspace, caller, deps }: Target,
  file: { publicId?: string; filename: string; contentType: string; size: number | undefined },
): Promise<Attachment> {
  await checkLimit(tx, "attachments", card.id);
  await checkQuota(tx, workspace.id, deps.config.ATTACHMENTS_QUOTA, file.size ?? fileBytes);
  return tx.prisma.attachment.create({
    data: {
      publicId: file.publicId ?? publicId(),
      workspaceId: workspace.id,
      cardId: card.id,
      filename: file.filename,
      contentType: file.contentType,
      size: file.size ?? null,
      storageKey: newStorageKey(),
      createdById: caller.userId,
      createdAt: tx.now,
      updatedAt: tx.now,
    },
  });
}

/** Where an attachment is, as its event shows it. */
type Parents = Pick<EventData<"attachment.created">, "card" | "list" | "board"> & {
  workspace: { id: bigint };
};

/**
 * Marks a reserved attachment of a locked card as stored, and emits its event.
 *
 * Answers null when another request completed it; 409 over quota.
 */
export async function completeUpload(
  tx: UnitOfWork<"attachment.created">,
  { id }: Pick<Attachment, "id">,
  content: { contentType: string; size: number; sha256?: string },
  { card, list, board, workspace }: Parents,
  { config, baseUrl }: Pick<Deps, "config" | "baseUrl">,
) {
  const [row] = await tx.prisma.attachment.updateManyAndReturn({
    where: { id, status: "pending", deletedAt: null },
    data: { ...content, status: "stored", updatedAt: tx.now },
  });
  if (row === undefined) return null;
  await checkQuota(tx, workspace.id, config.ATTACHMENTS_QUOTA);
  const attachment = showAttachment(row, `${baseUrl}/api/v1`);
  tx.emit("attachment.created", { attachment, card, list, board });
  return { ...attachment, cardPublicId: card.publicId };
}

/** Discards reserved attachments with what is stored of their files. */
export const discardUploads = (
  deps: Pick<Deps, "db" | "files" | "log">,
  rows: Pick<Attachment, "id" | "storageKey">[],
): Promise<void> =>
  discardStoredFiles(
    deps,
    rows.map(({ storageKey }) => storageKey),
    () =>
      deps.db.write(
        sql`WITH c AS MATERIALIZED (SELECT id FROM cards WHERE id IN (
            SELECT "cardId" FROM attachments WHERE id = ANY(${rows.map(({ id }) => id)}::bigint[]))
            ORDER BY id FOR NO KEY UPDATE)
          DELETE FROM attachments WHERE id = ANY(${rows.map(({ id }) => id)}::bigint[])
            AND status = 'pending' AND "cardId" IN (SELECT id FROM c)`,
      ),
  );
