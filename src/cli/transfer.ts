import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { z } from "zod";
import { nameIn } from "../platform/http/disposition.ts";
import type { Api } from "./api.ts";
import { CliFailure, exits, fileFailure, outputFailure, unreachable } from "./failure.ts";
import { printStatus, type Progress } from "./progress.ts";

const largeBytes = 64 * 1024 * 1024;
const answerMs = 500;

type Upload = { path: string; to: string; signal: AbortSignal; progress: Progress };

/**
 * Uploads a file while it is read; returns the response.
 *
 * An interruption after the last byte waits for the response.
 */
export async function upload<Answer>(
  api: Api,
  schema: z.ZodType<Answer>,
  { path, to, signal, progress }: Upload,
): Promise<Answer> {
  const file = await open(path, "r").catch((error: unknown) => {
    throw fileFailure(error, path);
  });
  const sending = new AbortController();
  let isSent = false;
  const stop = () => {
    if (!isSent) return sending.abort(signal.reason);
    progress.end();
    printStatus("The file was sent. Waiting for the response, to cancel the import.");
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    const about = await file.stat();
    const { size } = about;
    if (about.isDirectory()) throw new CliFailure(exits.badFile, `${path} is a directory.`);
    const isFile = about.isFile();
    async function* bytes() {
      let sentBytes = 0;
      // A pipe has no start to return to.
      const from = isFile ? { start: 0 } : {};
      for await (const chunk of file.createReadStream({ autoClose: false, ...from })) {
        if (!(chunk instanceof Uint8Array)) continue;
        yield chunk;
        // A service that refuses a large file answers before it is sent, and then disconnects.
        if (sentBytes === 0 && size > largeBytes) await pause(answerMs);
        sentBytes += chunk.byteLength;
        isSent = isFile && sentBytes >= size;
        progress.at("sending", sentBytes, size);
      }
      isSent = true;
    }
    const onWait = (seconds: number) => {
      isSent = false;
      progress.end();
      printStatus(`The rate limit is exceeded. The file is sent again in ${Math.ceil(seconds)} s.`);
    };
    const body = isFile ? { bytes, length: size } : { bytes, readOnce: true };
    const { signal: stopped } = sending;
    return await api.json(schema, to, { method: "POST", ...body, onWait, signal: stopped });
  } finally {
    signal.removeEventListener("abort", stop);
    await file.close();
  }
}

type Download = {
  from: string;
  /** The target: `-` is standard output; without it, the name from the service. */
  path: string | undefined;
  force: boolean;
  signal: AbortSignal;
  progress: Progress;
};

/** Saves a download under its name when it is complete; returns the name. */
export async function saveDownload(api: Api, options: Download): Promise<string> {
  const { from, force, signal, progress } = options;
  const { body, headers } = await api.bytes(from, signal);
  // The reader of the body gets the error too.
  body.on("error", () => undefined);
  const serverName = nameIn(String(headers["content-disposition"]))?.replace(/[/\\]/g, "_");
  const path = options.path ?? serverName ?? "export";
  const part = `${path}.part`;
  let size = 0;
  let tail = Buffer.alloc(0);
  async function* counted() {
    try {
      for await (const chunk of body) {
        const bytes = Buffer.from(chunk);
        tail = Buffer.concat([tail, bytes]).subarray(-32);
        progress.at("receiving", (size += bytes.byteLength), null);
        yield bytes;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw unreachable("The service", error);
    }
  }
  if (path === "-") {
    await pipeline(counted(), process.stdout, { end: false, signal }).catch((error: unknown) => {
      throw outputFailure(error, "Standard output");
    });
    return path;
  }
  const existing = await stat(path).catch(() => undefined);
  // A device or a pipe is not replaced by a file.
  const target = existing === undefined || existing.isFile() ? part : path;
  try {
    if (existing?.isFile() === true && !force)
      throw Object.assign(new Error(path), { code: "EEXIST" });
    await pipeline(counted(), createWriteStream(target), { signal });
    const isDocument = headers["content-type"] === "application/json";
    if (isDocument && !tail.toString().includes('"complete":true}')) {
      throw new CliFailure(exits.unreachable, "The export is incomplete: the connection was lost.");
    }
    if (target === part) await rename(part, path);
    return path;
  } catch (error) {
    body.destroy();
    if (target === part) await rm(part, { force: true });
    throw outputFailure(error, path);
  }
}
