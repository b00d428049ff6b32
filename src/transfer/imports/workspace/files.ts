import { storeFile } from "../../../domain/attachments/store.ts";
import { typeOf } from "../../../domain/attachments/type.ts";
import type { ImportContext } from "../job/context.ts";
import { reserveFiles } from "../job/files.ts";
import type { Fetch } from "../write/files.ts";
import type { ArchiveFile } from "../../format/archive-tasks.ts";

/** A file of the archive in our storage. */
export type StoredFile = { storageKey: string; size: number; contentType: string };

const plainText = "text/plain";

/** Stores the files of an archive until the import ends; returns them by their names. */
export async function storeArchiveFiles(
  context: ImportContext,
  files: AsyncIterable<ArchiveFile>,
  onStored: () => void,
): Promise<Map<string, StoredFile>> {
  const storedFiles = new Map<string, StoredFile>();
  for await (const { name, bytes } of files) {
    const [storageKey = ""] = await context.step((tx) => reserveFiles(tx, context.row));
    const file = await storeFile(context.deps.files, storageKey, bytes, plainText);
    storedFiles.set(name, { storageKey, size: file.size, contentType: file.contentType });
    onStored();
  }
  return storedFiles;
}

/** Copies the stored file of an attachment, so that each attachment has a file of its own. */
export const copyFrom =
  (context: ImportContext, files: ReadonlyMap<string, StoredFile>): Fetch =>
  async ({ fileName }, storageKey, { contentType: described, sha256 }) => {
    const storedFile = files.get(fileName);
    if (storedFile === undefined) throw new Error(`No file ${fileName}.`);
    await context.deps.files.copy(storedFile.storageKey, storageKey);
    // The document knows which kind of text a file is.
    const isText = storedFile.contentType === plainText;
    const contentType = isText ? await typeOf(new Uint8Array(), described) : storedFile.contentType;
    return { storageKey, size: storedFile.size, contentType, sha256 };
  };
