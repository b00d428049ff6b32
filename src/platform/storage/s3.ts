import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StorageAddress } from "../storage-address.ts";
import { spool, type SpoolLimits } from "./spool.ts";
import { checkKey, missingFile, streamOf, type Files, type DirectUpload } from "./store.ts";
import type { Readable } from "node:stream";
import { AwsV4Signer } from "aws4fetch";
import { request, type Dispatcher } from "undici";
import { unavailable } from "../errors.ts";
import { codeOf } from "../error-code.ts";

type Method = "GET" | "HEAD" | "PUT" | "DELETE";
type Options = { headers?: Record<string, string>; body?: Readable; accepted?: number[] };
type Answer = Pick<Dispatcher.ResponseData, "headers" | "body"> & { status: number };

const timeoutMs = 30_000;

/** Makes signed calls to a bucket; throws for a status that is neither 2xx nor `accepted`. */
function s3Caller({ url, ...credentials }: Extract<StorageAddress, { kind: "s3" }>) {
  const signer = { service: "s3", ...credentials };
  return {
    call: async (method: Method, path: string, options: Options = {}): Promise<Answer> => {
      const { headers = {}, body = null, accepted = [] } = options;
      const signed = await new AwsV4Signer({ ...signer, method, url: url + path, headers }).sign();
      const { statusCode: status, ...response } = await request(signed.url, {
        method,
        headers: Object.fromEntries(signed.headers),
        body,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      }).catch((error: unknown) => {
        throw isNetworkError(error) ? unreachable() : error;
      });
      if ((status >= 200 && status < 300) || accepted.includes(status))
        return { status, ...response };
      const text = (await response.body.text()).slice(0, 500);
      throw status >= 500 || status === 429
        ? unreachable()
        : new Error(`The storage answered ${status} to ${method}: ${text}`);
    },
    /** Signs a URL for one PUT of this type and size. */
    presign: async (
      path: string,
      { contentType, size, seconds }: DirectUpload,
    ): Promise<string> => {
      const target = new URL(url + path);
      target.searchParams.set("X-Amz-Expires", String(seconds));
      const signed = await new AwsV4Signer({
        ...signer,
        method: "PUT",
        url: target.href,
        headers: { "content-type": contentType, "content-length": String(size) },
        signQuery: true,
        allHeaders: true,
      }).sign();
      return signed.url.href;
    },
  };
}

const unreachable = () => unavailable("storage_unavailable", "The file storage does not answer.");

const isNetworkError = (error: unknown) =>
  /^(UND_ERR_|ECONN|ENOTFOUND|EAI_|EHOST|ENET|EPIPE|ETIMEDOUT)/.test(codeOf(error));

/** Uploads a source. S3 needs the length and the digest before the bytes. */
async function put(call: Call, target: string, source: Source, limits: SpoolLimits) {
  const directory = await mkdtemp(join(tmpdir(), "board-upload-"));
  try {
    const path = join(directory, "file");
    const spooled = await spool(path, source, limits);
    const { body } = await call("PUT", target, {
      headers: { "content-length": String(spooled.size), "x-amz-content-sha256": spooled.sha256 },
      body: createReadStream(path),
    });
    await body.dump();
    return spooled;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

type Call = ReturnType<typeof s3Caller>["call"];
type Source = Parameters<Files["put"]>[1];

/**
 * Stores files in an S3 bucket under `files/`; clients upload to `incoming/`.
 *
 * An upload is on the local disk until it is sent, and leaves `minFree` bytes of it free.
 */
export function s3Files(address: Extract<StorageAddress, { kind: "s3" }>, minFree: number): Files {
  const { call, presign } = s3Caller(address);
  const bucket = new URL(address.url).pathname;
  const pathIn = (folder: "files" | "incoming") => (key: string) => {
    checkKey(key);
    return `/${folder}/${key}`;
  };
  const [pathOf, incomingPathOf] = [pathIn("files"), pathIn("incoming")];
  const sizeOf = async (path: string) => {
    const { status, headers } = await call("HEAD", path, { accepted: [404] });
    return status === 404 ? null : Number(headers["content-length"]);
  };
  /** Copies an object; false when the source does not exist. */
  const copy = async (from: string, to: string): Promise<boolean> => {
    const headers = { "x-amz-copy-source": bucket + from };
    const { status, body } = await call("PUT", to, { headers, accepted: [404] });
    // S3 can report an error in the body of a 200 response.
    const text = await body.text();
    if (status === 404) return false;
    if (text.includes("<Error>")) {
      throw new Error(`The storage failed to copy: ${text.slice(0, 500)}`);
    }
    return true;
  };
  const remove = async (path: string) => {
    const { body } = await call("DELETE", path, { accepted: [404] });
    await body.dump();
  };
  return {
    put: (key, source, limit) => put(call, pathOf(key), source, { limit, minFree }),
    async get(key, range) {
      const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` };
      const { status, body } = await call("GET", pathOf(key), { headers, accepted: [404] });
      if (status !== 404) return streamOf(body);
      await body.dump();
      throw missingFile();
    },
    async copy(from, to) {
      if (!(await copy(pathOf(from), pathOf(to)))) throw missingFile();
    },
    async remove(key) {
      await remove(incomingPathOf(key));
      await remove(pathOf(key));
    },
    async ping() {
      await call("HEAD", "");
    },
    direct: {
      presign: (key, upload) => presign(incomingPathOf(key), upload),
      async take(key) {
        const size = await sizeOf(pathOf(key));
        if (size !== null) return size;
        // A concurrent request may take the same file.
        if (await copy(incomingPathOf(key), pathOf(key))) await remove(incomingPathOf(key));
        return sizeOf(pathOf(key));
      },
    },
  };
}
