import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StorageAddress } from "../storage-address.ts";
import { s3Caller } from "./s3-call.ts";
import { spool } from "./spool.ts";
import { checkKey, streamOf, type Files } from "./store.ts";

/** Files in a bucket of an S3-compatible storage: whole ones under `files/`, what clients send themselves under `incoming/`. */
export function s3Files(address: Extract<StorageAddress, { kind: "s3" }>): Files {
  const { call, presign } = s3Caller(address);
  const bucket = new URL(address.url).pathname;
  const named = (folder: "files" | "incoming") => (key: string) => {
    checkKey(key);
    return `/${folder}/${key}`;
  };
  const [whole, sent] = [named("files"), named("incoming")];
  const sizeOf = async (path: string) => {
    const { status, headers } = await call("HEAD", path, { known: [404] });
    return status === 404 ? null : Number(headers["content-length"]);
  };
  /** Whether there was something to copy. */
  const copy = async (from: string, to: string): Promise<boolean> => {
    const headers = { "x-amz-copy-source": bucket + from };
    const { status, body } = await call("PUT", to, { headers, known: [404] });
    // S3 may find out that it cannot when it has already answered 200.
    const told = await body.text();
    if (status === 404) return false;
    if (told.includes("<Error>"))
      throw new Error(`The storage did not copy: ${told.slice(0, 500)}`);
    return true;
  };
  const remove = async (path: string) => {
    const { body } = await call("DELETE", path, { known: [404] });
    await body.dump();
  };
  return {
    // S3 wants to know the length and the digest first.
    async put(key, source, limit) {
      const directory = await mkdtemp(join(tmpdir(), "board-upload-"));
      try {
        const path = join(directory, "file");
        const stored = await spool(path, source, limit);
        const { body } = await call("PUT", whole(key), {
          headers: {
            "content-length": String(stored.size),
            "x-amz-content-sha256": stored.sha256,
          },
          body: createReadStream(path),
        });
        await body.dump();
        return stored;
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
    async get(key, range) {
      const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` };
      const { body } = await call("GET", whole(key), { headers });
      return streamOf(body);
    },
    async copy(from, to) {
      if (!(await copy(whole(from), whole(to)))) throw new Error("There is no such file.");
    },
    async remove(key) {
      await remove(sent(key));
      await remove(whole(key));
    },
    async ping() {
      await call("HEAD", "");
    },
    direct: {
      presign: (key, announced) => presign(sent(key), announced),
      async take(key) {
        const taken = await sizeOf(whole(key));
        if (taken !== null) return taken;
        // Somebody else may be taking it over at this moment.
        if (await copy(sent(key), whole(key))) await remove(sent(key));
        return sizeOf(whole(key));
      },
    },
  };
}
