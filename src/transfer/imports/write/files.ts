import { sql } from "../../../platform/db/sql.ts";
import { Failure } from "../../../platform/errors.ts";
import { SourceBusy } from "../job/failure.ts";
import { discardImportFiles, reserveFiles } from "../job/files.ts";
import { findKnown, refsOf } from "./identity.ts";
import type { SourceCard, SourceFile } from "./model.ts";
import type { Writer } from "./step.ts";

/** A file at the source, by its name, attachment and card. */
export type SourceUpload = { cardId: string; attachmentId: string; fileName: string };

/** Stores a file of the source under a key. `described` has the source's description. */
export type Fetch = (
  upload: SourceUpload,
  storageKey: string,
  described: SourceFile | null,
) => Promise<SourceFile>;

/** Stores the files of attachments that were not imported before. One without a file is skipped. */
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
  const refs = refsOf(
    "attachment",
    all.map(({ attachment }) => attachment),
  );
  const known = await findKnown(identity, context.deps.db.read, refs);
  const fresh = all.filter(({ attachmentId }) => known("attachment", attachmentId) === undefined);
  if (fresh.length === 0) return;
  const keys = await context.step((tx) => reserveFiles(tx, context.row, fresh.length));
  for (const [index, { attachment, ...upload }] of fresh.entries()) {
    const key = keys[index] ?? "";
    await context.checkAlive();
    try {
      attachment.file = await fetch(upload, key, attachment.file);
    } catch (error) {
      await discardImportFiles(context.deps, sql`f."storageKey" = ${key}`);
      if (!isOfFile(error)) throw error;
    }
  }
}

/** Whether an error concerns one file only. A fault of the storage would repeat for each file. */
const isOfFile = (error: unknown) =>
  error instanceof SourceBusy
    ? error.because === "failure"
    : error instanceof Failure &&
      (error.failure === "NOT_FOUND" || error.failure === "PAYLOAD_TOO_LARGE");
