import { badRequest, Failure, failure } from "../errors.ts";
import { SharedBudget } from "./shared-budget.ts";
import { checkFormHeaders, checkJsonHeaders } from "./body-headers.ts";
import { bytesOf, idleMs, sentTooSlowly, withTimeout } from "./byte-body.ts";
import type { SendRate } from "./pace.ts";

/** The maximum size of a JSON body in bytes. */
export const bodyBytes = 1024 * 1024;

/** The maximum size of a JSON body of a public operation in bytes. */
export const publicBodyBytes = 32 * 1024;

/** A body of so many bytes is read at once, which is faster; its rate is not measured. */
const smallBytes = 16 * 1024;
/** The memory for the JSON bodies that this process reads at the same time. */
const budget = new SharedBudget(128 * 1024 * 1024);

/** 413. The rest of the body is not read, so the connection is closed. */
export const tooLarge = (limit = bodyBytes) =>
  failure("body_too_large", `The request body must not exceed ${limit} bytes.`, {
    headers: { Connection: "close" },
  });

/** Who sends a body, how large it may be, how slowly it may arrive, and what records its size. */
type BodyOptions = {
  client: string;
  limit: number;
  rate: SendRate;
  recordSize: (bytes: number) => void;
};

/** Reads the JSON object of a request. Throws 408, 413, 415, 503 or 400. An empty body is `{}`. */
export async function readJsonBody(
  request: Request,
  reading: BodyOptions,
): Promise<Record<string, unknown>> {
  const text = await readJsonText(request, reading);
  if (text === "") return {};
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badRequest("invalid_json", "The request body must be a JSON object.");
  }
  return { ...value };
}

/** Reads a form in UTF-8. Throws 408, 413, 415, 503 or 400. */
export async function readForm(request: Request, reading: BodyOptions): Promise<URLSearchParams> {
  checkFormHeaders(request.headers);
  const bytes = await readBody(request, reading);
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

/** Reads a body that must be JSON in UTF-8. Throws 408, 413, 415, 503 or 400. */
export async function readJsonText(request: Request, reading: BodyOptions): Promise<string> {
  const declared = declaredLength(request) ?? 0;
  // Before the body is read: a client that waits for 100 Continue does not send it.
  if (declared > 0 && declared <= reading.limit) checkJsonHeaders(request.headers);
  const bytes = await readBody(request, reading);
  if (bytes.byteLength === 0) return "";
  checkJsonHeaders(request.headers);
  checkJsonBounds(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw badRequest("invalid_json", "The request body is not valid UTF-8.");
  }
}

/** Reads a small body into memory. Throws 408, 413, 503 or 400. */
async function readBody(
  request: Request,
  { client, limit, rate, recordSize }: BodyOptions,
): Promise<Uint8Array> {
  const size = declaredLength(request) ?? (request.body === null ? 0 : limit);
  if (size > limit) throw tooLarge(limit);
  const ended = new AbortController();
  const release = budget.take(client, size, () => ended.abort(tooMany()));
  try {
    const bytes = await readBytes(request, limit, rate, ended.signal);
    recordSize(bytes.byteLength);
    return bytes;
  } catch (error) {
    throw error instanceof Failure
      ? error
      : badRequest("body_incomplete", "The request body ended early.");
  } finally {
    release();
  }
}

/** 503. The rest of the body is not read, so the connection is closed. */
const tooMany = () =>
  failure("overloaded", "The service is reading too many request bodies. Try again later.", {
    headers: { Connection: "close" },
  });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("invalid_json", "The request body is not valid JSON.");
  }
}

/** The size that a body declares. */
function declaredLength(request: Request): number | undefined {
  const declared = request.headers.get("content-length") ?? "";
  return /^\d+$/.test(declared) ? Number(declared) : undefined;
}

/** Reads a body. Throws 413 as soon as it exceeds the limit. */
async function readBytes(
  request: Request,
  limit: number,
  rate: SendRate,
  ended: AbortSignal,
): Promise<Uint8Array> {
  ended.throwIfAborted();
  const declared = declaredLength(request);
  if (declared !== undefined && declared <= smallBytes) {
    const whole = request.arrayBuffer();
    const deadline = { ms: idleMs, late: sentTooSlowly };
    const read = await withTimeout(whole, deadline, (refuse) => {
      ended.addEventListener("abort", () => refuse(ended.reason), { once: true });
    });
    return new Uint8Array(read);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytesOf(request, rate, ended).bytes) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const maxDepth = 100;
const maxKeys = 10_000;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** Limits the nesting and the keys of a JSON text, before the parser spends time on it. */
function checkJsonBounds(bytes: Uint8Array): void {
  let depth = 0;
  let keys = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (inString) {
      if (byte === backslash) at++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === colon) keys++;
    else if (opening.has(byte)) depth++;
    else if (closing.has(byte)) depth--;
    if (depth > maxDepth)
      throw badRequest("invalid_json", `The JSON must not nest deeper than ${maxDepth} levels.`);
    if (keys > maxKeys)
      throw badRequest("invalid_json", `The JSON must not have more than ${maxKeys} fields.`);
  }
}
