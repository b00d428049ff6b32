import type { Readable } from "node:stream";
import { AwsV4Signer } from "aws4fetch";
import { request, type Dispatcher } from "undici";
import { unavailable } from "../errors.ts";
import type { StorageAddress } from "../storage-address.ts";
import type { DirectUpload } from "./store.ts";

type Method = "GET" | "HEAD" | "PUT" | "DELETE";
type Options = { headers?: Record<string, string>; body?: Readable; known?: number[] };
type Answer = Pick<Dispatcher.ResponseData, "headers" | "body"> & { status: number };

const timeoutMs = 30_000;

/** Makes signed calls to a bucket; throws for a status that is neither 2xx nor `known`. */
export function s3Caller({ url, ...credentials }: Extract<StorageAddress, { kind: "s3" }>) {
  const signer = { service: "s3", ...credentials };
  return {
    call: async (method: Method, path: string, options: Options = {}): Promise<Answer> => {
      const { headers = {}, body = null, known = [] } = options;
      const signed = await new AwsV4Signer({ ...signer, method, url: url + path, headers }).sign();
      const { statusCode: status, ...answer } = await request(signed.url, {
        method,
        headers: Object.fromEntries(signed.headers),
        body,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      }).catch((error: unknown) => {
        throw isNetworkError(error) ? unreachable() : error;
      });
      if ((status >= 200 && status < 300) || known.includes(status)) return { status, ...answer };
      const text = (await answer.body.text()).slice(0, 500);
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
  error instanceof Error &&
  "code" in error &&
  /^(UND_ERR_|ECONN|ENOTFOUND|EAI_|EHOST|ENET|EPIPE|ETIMEDOUT)/.test(String(error.code));
