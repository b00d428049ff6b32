import type { ImportContext } from "../job/context.ts";
import { ImportFailure, isTransient, LockLost, SourceBusy } from "../job/failure.ts";
import { discardFiles, reserveFiles } from "../job/files.ts";
import { findKnown } from "./identity.ts";
import type { SourceAttachment, SourceCard, SourceFile } from "./model.ts";
import type { Writer } from "./step.ts";

/** Stores the file of an attachment under a key. */
export type Fetch = (attachment: SourceAttachment, storageKey: string) => Promise<SourceFile>;

/** Stores the files of attachments that were not imported before. A failed one is not stored. */
export async function storeFiles(
  { context, identity }: Writer,
  cards: SourceCard[],
  hasFile: (attachment: SourceAttachment) => boolean,
  fetch: Fetch,
): Promise<void> {
  const all = cards.flatMap(({ attachments }) => attachments.filter(hasFile));
  if (all.length === 0) return;
  const refs = all.map(({ sourceId }) => ({ kind: "attachment", sourceId }) as const);
  const known = await findKnown(identity, context.deps.db.read, refs);
  const fresh = all.filter(({ sourceId }) => known("attachment", sourceId) === undefined);
  const keys = await context.step((tx) => reserveFiles(tx, context.row, fresh.length));
  for (const [index, attachment] of fresh.entries()) {
    const key = keys[index] ?? "";
    await context.checkAlive();
    try {
      attachment.file = await fetch(attachment, key);
    } catch (error) {
      await discardFiles(context.deps, context.row.id, [key]);
      await stopFor(context, error);
    }
  }
}

/** Throws an error that stops the import; any other concerns one file only. */
async function stopFor(context: ImportContext, error: unknown) {
  const isLimit = error instanceof SourceBusy && error.because === "limit";
  const stops = error instanceof LockLost || error instanceof ImportFailure;
  if (stops || isTransient(error) || isLimit) throw error;
  await context.checkAlive();
}
