import { badRequest, Failure, failure } from "../errors.ts";
import { Pace, type SendRate } from "./pace.ts";

/** The time without a byte after which a body is given up. */
export const idleMs = 30_000;

/** A body: its headers, and its bytes as they arrive. */
export type RequestBody = {
  length: number | undefined;
  contentType: string | undefined;
  /** The client's digest of the bytes (RFC 9530). */
  digest: string | undefined;
  bytes: AsyncIterable<Uint8Array>;
};

/** The body of a request as a stream of bytes. Its reader fails when `ended` is aborted. */
export function bytesOf(request: Request, rate: SendRate, ended: AbortSignal): RequestBody {
  const { headers } = request;
  const declared = headers.get("content-length");
  const length = declared === null ? undefined : Number(declared);
  return {
    length,
    contentType: headers.get("content-type") ?? undefined,
    digest: headers.get("content-digest") ?? undefined,
    bytes: readChunks(request, length, rate, ended),
  };
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

/** 408. The rest of the body is not read, so the connection is closed. */
export const sentTooSlowly = () =>
  failure("request_timeout", "The request body arrived too slowly.", {
    headers: { Connection: "close" },
  });

async function* readChunks(
  request: Request,
  length: number | undefined,
  rate: SendRate,
  ended: AbortSignal,
) {
  const truncated = () => badRequest("body_incomplete", "The request body ended early.");
  let size = 0;
  const pace = new Pace(rate, sentTooSlowly);
  let refuse: ((error: unknown) => void) | undefined;
  ended.addEventListener("abort", () => refuse?.(ended.reason), { once: true });
  try {
    const source = (request.body ?? emptyBody())[Symbol.asyncIterator]();
    for (;;) {
      ended.throwIfAborted();
      const since = performance.now();
      const next = withTimeout(source.next(), { ms: idleMs, late: sentTooSlowly }, (reject) => {
        refuse = reject;
      });
      const { done, value } = await next;
      if (done === true) break;
      pace.record(performance.now() - since, value.byteLength);
      size += value.byteLength;
      yield value;
    }
  } catch (error) {
    throw error instanceof Failure ? error : truncated();
  }
  if (length !== undefined && size !== length) throw truncated();
}

/** Rejects when a promise takes longer than `ms`, or when `mayRefuse` rejects it. */
export async function withTimeout<Value>(
  promise: Promise<Value>,
  { ms, late: lateError }: { ms: number; late: () => Failure },
  mayRefuse: (refuse: (error: unknown) => void) => void,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lateError()), ms);
    mayRefuse(reject);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
