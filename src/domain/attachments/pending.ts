import type { Caller } from "../../kernel/access/callers.ts";
import { cardName } from "../views/cards.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkLimit } from "../../kernel/limits.ts";
import type { Attachment } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { notFound } from "../../platform/errors.ts";
import { newKey } from "../../platform/storage/store.ts";
import { checkQuota } from "./quota.ts";
import { viewAttachment } from "../views/attachments.ts";
import { sql } from "../../platform/db/sql.ts";

type To = {
  card: { id: bigint };
  workspace: { id: bigint };
  caller: Caller;
  deps: Pick<Deps, "config" | "baseUrl">;
};

/** Notes a file that is about to come, so that whatever becomes of it is known; 404, or 409 without room for it. */
export async function reserveUpload(
  tx: UnitOfWork<never>,
  { card, workspace, caller, deps }: To,
  file: { filename: string; contentType: string; size: number | undefined },
): Promise<Attachment> {
  const [live] = await tx.lock("cards", [card.id]);
  if (live === undefined) throw notFound("card");
  await checkLimit(tx, "attachments", card.id);
  await checkQuota(tx, workspace.id, deps.config.ATTACHMENTS_QUOTA, file.size);
  return tx.prisma.attachment.create({
    data: {
      publicId: publicId(),
      workspaceId: workspace.id,
      cardId: card.id,
      filename: file.filename,
      contentType: file.contentType,
      size: file.size ?? null,
      storageKey: newKey(),
      createdById: caller.userId,
      createdAt: tx.now,
      updatedAt: tx.now,
    },
  });
}

type Place = Record<"card" | "list" | "board", { publicId: string }> & {
  card: { title: string; number: number };
  list: { name: string };
  board: { name: string };
  workspace: { cardPrefix: string };
};

const placeOf = (cardId: bigint, workspaceId: bigint) =>
  sql`SELECT jsonb_build_object('publicId', c."publicId", 'title', c.title, 'number',
    c.number) AS card,
    jsonb_build_object('publicId', l."publicId", 'name', l.name) AS list,
    jsonb_build_object('publicId', b."publicId", 'name', b.name) AS board,
    jsonb_build_object('cardPrefix', w."cardPrefix") AS workspace
  FROM cards c JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL
  JOIN boards b ON b.id = l."boardId" AND b."deletedAt" IS NULL
    JOIN workspaces w ON w.id = c."workspaceId" AND w."deletedAt" IS NULL
  WHERE c.id = ${cardId} AND c."workspaceId" = ${workspaceId} AND c."deletedAt" IS NULL
  FOR SHARE OF c`;

/** Makes a file that has come an attachment, where its card is by now; null when somebody else did so already. 404 when it has been deleted meanwhile, 409 without room. */
export async function completeUpload(
  tx: UnitOfWork<"attachment.created">,
  { id, cardId, workspaceId }: Attachment,
  found: { contentType: string; size: number; sha256?: string },
  { config, baseUrl }: Pick<Deps, "config" | "baseUrl">,
) {
  const [row] = await tx.prisma.attachment.updateManyAndReturn({
    where: { id, status: "pending", deletedAt: null },
    data: { ...found, status: "stored", updatedAt: tx.now },
  });
  const [place] = await tx.query<Place>(placeOf(cardId, workspaceId));
  if (place === undefined) throw notFound("card");
  if (row === undefined) return null;
  await checkQuota(tx, workspaceId, config.ATTACHMENTS_QUOTA);
  const attachment = viewAttachment(row, `${baseUrl}/api/v1`);
  const { card, workspace, ...around } = place;
  tx.emit("attachment.created", { attachment, card: cardName(card, workspace), ...around });
  return attachment;
}

/** Forgets a file that did not come: what there is of it first, so that nothing is left that nobody knows of. */
export async function discardUpload(
  { db, files, log }: Pick<Deps, "db" | "files" | "log">,
  { id, storageKey }: Pick<Attachment, "id" | "storageKey">,
): Promise<void> {
  try {
    if (storageKey !== null) await files.remove(storageKey);
    await db.write(sql`DELETE FROM attachments WHERE id = ${id} AND status = 'pending'`);
  } catch (error) {
    log.warn({ err: error }, "an unfinished file is left to the purge");
  }
}
