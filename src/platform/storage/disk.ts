import { copyFile, link, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkFreeSpace, freeBytes } from "./free-space.ts";
import { spool } from "./spool.ts";
import { checkKey, streamOf, type Files } from "./store.ts";

/**
 * Stores files in a local directory, and leaves `minFree` bytes of its disk free.
 *
 * A file is written to `incoming/`, then renamed.
 */
export function diskFiles(root: string, minFree: number): Files {
  const incoming = join(root, "incoming");
  const pathsOf = (key: string) => {
    checkKey(key);
    return { partial: join(incoming, key), final: join(root, key.slice(0, 2), key) };
  };
  /** Writes a file in `incoming/`, and renames it when it is complete. */
  const write = async <Result>(key: string, writeTo: (partial: string) => Promise<Result>) => {
    const { partial, final } = pathsOf(key);
    await Promise.all([directory(incoming), directory(dirname(final))]);
    const result = await writeTo(partial);
    await rename(partial, final);
    await syncDirectory(dirname(final));
    return result;
  };
  return {
    put: (key, source, limit) =>
      write(key, (partial) => spool(partial, source, { limit, minFree })),
    async get(key, range) {
      const file = await open(pathsOf(key).final, "r");
      return streamOf(file.createReadStream(range));
    },
    // Stored files are immutable, so a hard link is a copy.
    copy: (from, to) =>
      write(to, (partial) =>
        link(pathsOf(from).final, partial).catch(async () => {
          await checkFreeSpace(root, minFree);
          await copyFile(pathsOf(from).final, partial);
        }),
      ),
    async remove(key) {
      const { partial, final } = pathsOf(key);
      await Promise.all([rm(partial, { force: true }), rm(final, { force: true })]);
    },
    async ping() {
      await directory(incoming);
      const probe = join(incoming, "probe");
      await writeFile(probe, "written to see whether files can be stored");
      await rm(probe, { force: true });
      await checkFreeSpace(root, minFree);
    },
    async freeBytes() {
      await directory(root);
      return freeBytes(root);
    },
  };
}

const directory = (path: string) => mkdir(path, { recursive: true, mode: 0o700 });

/** Flushes a directory's entries to disk. */
async function syncDirectory(path: string) {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
