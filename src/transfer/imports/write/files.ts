import type { ImportContext } from "../job/context.ts";
import { ImportFailure, isTransient, LockLost, SourceBusy } from "../job/failure.ts";
import { discardFiles, reserveFiles } from "../job/files.ts";
import { findKnown } from "./identity.ts";
import type { SourceCard, SourceFile } from "./model.ts";
import type { Writer } from "./step.ts";

/** A file at the source, by its name, attachment and card. */
export type SourceUpload = { cardId: string; attachmentId: string; fileName: string };

/** Stores a file of the source under a key. `described` is what the source says of it. */
export type Fetch = (
  upload: SourceUpload,
  storageKey: string,
  described: SourceFile | null,
) => Promise<SourceFile>;

/** Stores the files of attachments that were not imported before. A failed one is not stored. */
export async function storeFiles(
  { context, identity }: Writer,
  cards: SourceCard[],
  fetch: Fetch,
): Promise<void> {
  const all = cards.flatMap(({ sourceId: cardId, attachments }) =>
    attachments.flatMap((attachment) => {
      const { sourceId: attachmentId, fileName } = attachment;
      return fileName === undefined ? [] : [{ attachment, cardId, attachmentId, fileName }];
    }),
  );
  if (all.length === 0) return;
  const refs = all.map(({ attachmentId }) => {
    return { kind: "attachment", sourceId: attachmentId } as const;
  });
  const known = await findKnown(identity, context.deps.db.read, refs);
  const fresh = all.filter(({ attachmentId }) => known("attachment", attachmentId) === undefined);
  const keys = await context.step((tx) => reserveFiles(tx, context.row, fresh.length));
  for (const [index, { attachment, ...upload }] of fresh.entries()) {
    const key = keys[index] ?? "";
    await context.checkAlive();
    try {
      attachment.file = await fetch(upload, key, attachment.file);
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
