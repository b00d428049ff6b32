import { access, constants, copyFile, link, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { spool } from "./spool.ts";
import { checkKey, streamOf, type Files } from "./store.ts";

/** Files in a directory of the local disk: a write goes to `incoming/`, and to its place when it is whole. */
export function diskFiles(root: string): Files {
  const incoming = join(root, "incoming");
  const place = (key: string) => {
    checkKey(key);
    return { half: join(incoming, key), whole: join(root, key.slice(0, 2), key) };
  };
  /** Makes a file by way of `incoming/`. */
  const make = async <Result>(key: string, write: (half: string) => Promise<Result>) => {
    const { half, whole } = place(key);
    await Promise.all([directory(incoming), directory(dirname(whole))]);
    const result = await write(half);
    await rename(half, whole);
    await settle(dirname(whole));
    return result;
  };
  return {
    put: (key, source, limit) => make(key, (half) => spool(half, source, limit)),
    async get(key, range) {
      const file = await open(place(key).whole, "r");
      return streamOf(file.createReadStream(range));
    },
    // What has been stored never changes, so two names may stand for the same bytes.
    copy: (from, to) =>
      make(to, (half) =>
        link(place(from).whole, half).catch(() => copyFile(place(from).whole, half)),
      ),
    async remove(key) {
      const { half, whole } = place(key);
      await Promise.all([rm(half, { force: true }), rm(whole, { force: true })]);
    },
    async ping() {
      await directory(root);
      await access(root, constants.R_OK | constants.W_OK);
    },
  };
}

const directory = (path: string) => mkdir(path, { recursive: true, mode: 0o700 });

/** Sees to it that a directory's entries survive a crash of the machine. */
async function settle(path: string) {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
