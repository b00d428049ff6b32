import { badRequest, Failure, failure } from "../errors.ts";
import { SharedBudget } from "./shared-budget.ts";
import { checkJsonHeaders } from "./body-headers.ts";
import { checkJsonBounds } from "./json-bounds.ts";

/** The maximum size of a JSON body in bytes. */
export const bodyBytes = 1024 * 1024;

/** The maximum size of a JSON body of a public operation in bytes. */
export const publicBodyBytes = 32 * 1024;

/** The time that a JSON body may take to arrive. */
const bodyMs = 20_000;
/** The memory for the JSON bodies that this process reads at the same time. */
const budget = new SharedBudget(128 * 1024 * 1024);

/** 413. The rest of the body is not read, so the connection is closed. */
export const tooLarge = (limit = bodyBytes) =>
  failure("body_too_large", `The request body must not exceed ${limit} bytes.`, {
    headers: { Connection: "close" },
  });

/** Who sends a body, how large it may be, and what notes its size. */
type Reading = { client: string; limit: number; noteSize: (bytes: number) => void };

/** Reads the JSON object of a request. Throws 413, 415, 503 or 400. An empty body is `{}`. */
export async function readJson(
  request: Request,
  reading: Reading,
): Promise<Record<string, unknown>> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  // Before the body is read: a client that waits for 100 Continue does not send it.
  if (declared > 0 && declared <= reading.limit) checkJsonHeaders(request.headers);
  const bytes = await readBody(request, reading);
  if (bytes.byteLength === 0) return {};
  checkJsonHeaders(request.headers);
  checkJsonBounds(bytes);
  const value = parse(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badRequest("invalid_json", "The request body must be a JSON object.");
  }
  return { ...value };
}

/** Reads a small body into memory. Throws 413, 503 or 400. */
export async function readBody(
  request: Request,
  { client, limit, noteSize }: Reading,
): Promise<Uint8Array<ArrayBuffer>> {
  const size = sizeOf(request, limit);
  if (size > limit) throw tooLarge(limit);
  let release: (() => void) | undefined;
  try {
    const deadline = { ms: bodyMs, late: tooSlow };
    const bytes = await inTime(readBytes(request, limit), deadline, (refuse) => {
      release = budget.take(client, size, () => refuse(tooMany()));
    });
    noteSize(bytes.byteLength);
    return bytes;
  } catch (error) {
    throw error instanceof Failure
      ? error
      : badRequest("body_incomplete", "The request body ended early.");
  } finally {
    release?.();
  }
}

/** 503. The rest of the body is not read, so the connection is closed. */
const tooMany = () =>
  failure("overloaded", "The service is reading too many request bodies. Try again later.", {
    headers: { Connection: "close" },
  });

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const problem = error instanceof SyntaxError ? "is not valid JSON" : "is not valid UTF-8";
    throw badRequest("invalid_json", `The request body ${problem}.`);
  }
}

/** The size that a body declares; without one, what it has at most. */
function sizeOf(request: Request, limit: number): number {
  const declared = request.headers.get("content-length");
  if (declared !== null && /^\d+$/.test(declared)) return Number(declared);
  return request.body === null ? 0 : limit;
}

/** Reads a body. Throws 413 as soon as it exceeds the limit. */
async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get("content-length");
  if (declared !== null && /^\d+$/.test(declared))
    return new Uint8Array(await request.arrayBuffer());
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Rejects when a promise takes longer than `ms`, or as `mayRefuse` says. */
export async function inTime<Value>(
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

const tooSlow = () =>
  failure("body_incomplete", "The request body arrived too slowly.", {
    headers: { Connection: "close" },
  });
