import { z } from "zod";
import { sql } from "../../../platform/db/sql.ts";
import { Failure } from "../../../platform/errors.ts";
import { SourceBusy } from "../job/failure.ts";
import { discardImportFiles, isReserved, reserveFiles } from "../job/files.ts";
import { findReading, keepReading } from "../job/readings.ts";
import { findKnown, refsOf } from "./identity.ts";
import type { SourceAttachment, SourceCard, StoredFile, StoredFiles } from "./source.ts";
import type { Writer } from "./step.ts";

/** A file at the source, by its name, attachment and card. */
export type SourceUpload = { cardId: string; attachmentId: string; fileName: string };

/** Stores a file of the source under a key. */
export type Fetch = (
  upload: SourceUpload,
  storageKey: string,
  attachment: SourceAttachment,
) => Promise<StoredFile>;

/** Stores the files of attachments that were not imported before. One without a file is skipped. */
export async function storeFiles(
  { context, identity }: Writer,
  cards: SourceCard[],
  fetch: Fetch,
): Promise<StoredFiles> {
  const storedFiles = new Map<SourceAttachment, StoredFile>();
  const withCards = cards.flatMap(({ publicId: cardId, attachments }) =>
    attachments.flatMap((attachment) => {
      const { publicId: attachmentId, file: fileName } = attachment;
      return fileName === null ? [] : [{ attachment, cardId, attachmentId, fileName }];
    }),
  );
  const refs = refsOf(
    "attachment",
    withCards.map(({ attachment }) => attachment),
  );
  const lookUp = await findKnown(identity, context.deps.db.read, refs);
  const fresh = withCards.filter(
    ({ attachmentId }) => lookUp("attachment", attachmentId) === undefined,
  );
  if (fresh.length === 0) return storedFiles;
  const keys = await context.step((tx) => reserveFiles(tx, context.row, fresh.length));
  for (const [index, { attachment, ...upload }] of fresh.entries()) {
    const key = keys[index] ?? "";
    await context.checkAlive();
    const reading = { part: "files", key: `${upload.cardId} ${upload.attachmentId}` };
    const storedFile = StoredFileShape.safeParse(
      JSON.parse((await findReading(context, reading)) ?? "null"),
    ).data;
    if (
      storedFile !== undefined &&
      (await isReserved(context.deps.db.read, storedFile.storageKey))
    ) {
      storedFiles.set(attachment, storedFile);
      continue;
    }
    try {
      storedFiles.set(attachment, await fetch(upload, key, attachment));
    } catch (error) {
      await discardImportFiles(context.deps, sql`f."storageKey" = ${key}`);
      if (!isOfFile(error)) throw error;
      continue;
    }
    await keepReading(context, { ...reading, value: JSON.stringify(storedFiles.get(attachment)) });
  }
  return storedFiles;
}

/** A file that an earlier run has fetched for a card that it did not come to write. */
const StoredFileShape = z.object({
  storageKey: z.string(),
  contentType: z.string(),
  size: z.int().nullable(),
  sha256: z.string().nullable(),
});

/** Whether an error concerns one file only. A fault of the storage would repeat for each file. */
const isOfFile = (error: unknown) =>
  error instanceof SourceBusy
    ? error.because === "failure"
    : error instanceof Failure &&
      (error.failure === "NOT_FOUND" || error.failure === "PAYLOAD_TOO_LARGE");
