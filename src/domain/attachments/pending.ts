import type { Caller } from "../../kernel/access/callers.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkLimit } from "../../kernel/limits.ts";
import type { Attachment } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { notFound } from "../../platform/errors.ts";
import { newStorageKey } from "../../platform/storage/store.ts";
import { checkQuota, fileBytes } from "./quota.ts";
import { discardStoredFiles } from "./store.ts";
import { viewAttachment } from "../views/attachments.ts";
import { sql } from "../../platform/db/sql.ts";

type Target = {
  card: { id: bigint };
  workspace: { id: bigint };
  caller: Caller;
  deps: Pick<Deps, "config" | "baseUrl">;
};

/** Reserves an attachment for a file that is about to be stored; 409 beyond limit or quota. */
export async function reserveUpload(
  tx: UnitOfWork<never>,
  { card, workspace, caller, deps }: Target,
  file: { publicId?: string; filename: string; contentType: string; size: number | undefined },
): Promise<Attachment> {
  const [live] = await tx.lock("cards", [card.id]);
  if (live === undefined) throw notFound("card");
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

type Parents = Record<"card" | "list" | "board", { publicId: string }> & {
  card: { title: string; number: number };
  list: { name: string };
  board: { name: string };
  workspace: { cardPrefix: string };
};

// The card is locked first: one that moves meanwhile is joined with the list where it is then.
const parentsOf = (cardId: bigint, workspaceId: bigint) =>
  sql`WITH c AS MATERIALIZED (SELECT * FROM cards
    WHERE id = ${cardId} AND "workspaceId" = ${workspaceId} AND "deletedAt" IS NULL
    FOR NO KEY UPDATE)
  SELECT
    jsonb_build_object('publicId', c."publicId", 'title', c.title, 'number', c.number) AS card,
    jsonb_build_object('publicId', l."publicId", 'name', l.name) AS list,
    jsonb_build_object('publicId', b."publicId", 'name', b.name) AS board,
    jsonb_build_object('cardPrefix', w."cardPrefix") AS workspace
  FROM c JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL
    JOIN boards b ON b.id = l."boardId" AND b."deletedAt" IS NULL
    JOIN workspaces w ON w.id = c."workspaceId" AND w."deletedAt" IS NULL`;

/**
 * Marks a reserved attachment as stored, and emits its event with the card's current parents.
 *
 * Answers null when another request completed it; 404 when the card was deleted; 409 over quota.
 */
export async function completeUpload(
  tx: UnitOfWork<"attachment.created">,
  { id, cardId, workspaceId }: Attachment,
  found: { contentType: string; size: number; sha256?: string },
  { config, baseUrl }: Pick<Deps, "config" | "baseUrl">,
) {
  const [parents] = await tx.query<Parents>(parentsOf(cardId, workspaceId));
  if (parents === undefined) throw notFound("card");
  const [row] = await tx.prisma.attachment.updateManyAndReturn({
    where: { id, status: "pending", deletedAt: null },
    data: { ...found, status: "stored", updatedAt: tx.now },
  });
  if (row === undefined) return null;
  await checkQuota(tx, workspaceId, config.ATTACHMENTS_QUOTA);
  const attachment = viewAttachment(row, `${baseUrl}/api/v1`);
  const { card, workspace: _, ...others } = parents;
  tx.emit("attachment.created", { attachment, card, ...others });
  return attachment;
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
