import type { Deps } from "../../kernel/request/deps.ts";
import type { Files, StoredContent } from "../../platform/storage/store.ts";
import { fileBytes } from "./quota.ts";
import { peek, typeOf } from "./type.ts";

/** The steps of storing files. */
type Steps<Reserved, Content, Result> = {
  /** Writes the rows that reserve the files' keys, and commits them. */
  reserve(): Promise<Reserved>;
  /** Writes the bytes, outside a transaction. */
  store(reserved: Reserved): Promise<Content>;
  /** Attaches the stored files to their owner, in one transaction. */
  complete(reserved: Reserved, content: Content): Promise<Result>;
  /** Removes bytes and rows after a failure. */
  discard(reserved: Reserved): Promise<void>;
};

/** Stores files so that a row names every key before its bytes exist: a crash leaves no orphan. */
export async function storeReserved<Reserved, Content, Result>(
  steps: Steps<Reserved, Content, Result>,
): Promise<Result> {
  const reserved = await steps.reserve();
  try {
    return await steps.complete(reserved, await steps.store(reserved));
  } catch (error) {
    await steps.discard(reserved);
    throw error;
  }
}

/** Removes stored bytes, then the rows that reserve their keys; after a failure the purge does. */
export async function discardStoredFiles(
  { files, log }: Pick<Deps, "files" | "log">,
  keys: (string | null)[],
  deleteRows: () => Promise<unknown>,
): Promise<void> {
  try {
    for (const key of keys) if (key !== null) await files.remove(key);
    await deleteRows();
  } catch (error) {
    log.warn({ err: error }, "unfinished files are left to the purge");
  }
}

/** Stores the bytes of one file of at most 50 MiB, and detects its content type. */
export async function storeFile(
  files: Files,
  key: string,
  source: AsyncIterable<Uint8Array>,
  declaredType: string | undefined,
): Promise<StoredContent & { contentType: string }> {
  const { bytes, head } = peek(source);
  const storedFile = await files.put(key, bytes, fileBytes);
  return { ...storedFile, contentType: await typeOf(head(), declaredType) };
}
