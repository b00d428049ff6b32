import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { pack, type Pack } from "tar-stream";
import type { Deps } from "../../kernel/request/deps.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Snapshot } from "../../platform/db/snapshot.ts";
import { minFreeBytes } from "../../platform/storage/free-space.ts";
import { spool } from "../../platform/storage/spool.ts";
import { isMissingFile } from "../../platform/storage/store.ts";
import { encodeTexts, chunksOf } from "../format/bytes.ts";
import { documentName, manifestName } from "../format/workspace.ts";
import { documentOf, type ExportSource } from "./document.ts";
import { paged } from "./pages.ts";
import * as statements from "./statements.ts";

/** A file of the archive in the spooled list. */
type Listed = { name: string; key: string; size: number };

const size = 500;

/**
 * Writes a workspace as a tar archive: its document, its files by SHA-256, and a manifest.
 *
 * The document and the list of files are spooled to disk, so that a slow reader does not hold the
 * snapshot open.
 */
export async function* archiveOf(
  snapshot: Snapshot,
  source: ExportSource,
  { files, config, archives }: Pick<Deps, "files" | "config" | "archives">,
  who: string,
): AsyncGenerator<Uint8Array> {
  const directory = await mkdtemp(join(tmpdir(), "board-export-"));
  try {
    const [document, list] = [join(directory, documentName), join(directory, "files")];
    const { query } = snapshot;
    const limits = { limit: Infinity, minFree: minFreeBytes(config) };
    const spooled = await spool(document, encodeTexts(documentOf(query, source)), limits);
    await spool(list, encodeTexts(listed(query, source.workspace.id)), limits);
    await snapshot.close();
    const archive = pack();
    const mtime = source.now;
    const store = { get: async (key: string) => paced(await files.get(key), archives, who) };
    const filling = fill(archive, { document, size: spooled.size, list, mtime }, store).catch(
      (error: unknown) => {
        archive.destroy(error instanceof Error ? error : undefined);
      },
    );
    try {
      yield* chunksOf(archive);
    } finally {
      archive.destroy();
      await filling;
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function* listed(query: Query, workspaceId: bigint) {
  type Row = { name: string; key: string; size: bigint };
  const pages = paged<Row, string>(
    (after, limit) => query<Row>(statements.files(workspaceId, after, limit)),
    "",
    ({ name }) => name,
    size,
  );
  for await (const rows of pages) {
    for (const { name, key, size: bytes } of rows) {
      yield `${JSON.stringify({ name, key, size: Number(bytes) } satisfies Listed)}\n`;
    }
  }
}

const retryMs = 50;

/** Reads a file no faster than its reader may read files of archives. */
async function* paced(
  file: AsyncIterable<Uint8Array>,
  archives: Deps["archives"],
  who: string,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of file) {
    while (await archives.isSpent(who)) await pause(retryMs);
    await archives.add(who, chunk.byteLength);
    yield chunk;
  }
}

type Store = { get(key: string): Promise<AsyncIterable<Uint8Array>> };
type Parts = { document: string; size: number; list: string; mtime: Date };

async function fill(archive: Pack, { document, list, mtime, ...spooled }: Parts, files: Store) {
  const addEntry = (name: string, bytes: number, content: AsyncIterable<Uint8Array>) =>
    pipeline(content, archive.entry({ name, size: bytes, mtime }));
  await addEntry(documentName, spooled.size, createReadStream(document));
  const missing: string[] = [];
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(list) })) {
    const { name, key, size: bytes }: Listed = JSON.parse(line);
    // A file that the storage has lost does not stop the export; the manifest names it.
    const content = await files.get(key).catch((error: unknown) => {
      if (isMissingFile(error)) return null;
      throw error;
    });
    if (content === null) missing.push(name);
    else {
      await addEntry(name, bytes, content);
      count++;
    }
  }
  const manifest = JSON.stringify({ files: count, missing, complete: true });
  archive.entry({ name: manifestName, mtime }, `${manifest}\n`);
  archive.finalize();
}
