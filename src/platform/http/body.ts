import { badRequest, Failure } from "../errors.ts";

/** The maximum size of a JSON body in bytes. */
export const bodyBytes = 1024 * 1024;

/** 413. The rest of the body is not read, so the connection is closed. */
export const tooLarge = (limit = bodyBytes) =>
  new Failure(
    "PAYLOAD_TOO_LARGE",
    [{ message: `The request body must not exceed ${limit} bytes.` }],
    {
      Connection: "close",
    },
  );

/** Reads the JSON object of a request. An empty body is `{}`. Throws 413, 415 or 400. */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request).catch((error: unknown) => {
    throw error instanceof Failure ? error : badRequest("The request body ended early.");
  });
  if (bytes.byteLength === 0) return {};
  const type = request.headers.get("content-type") ?? "";
  if (!/^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new Failure("UNSUPPORTED_MEDIA_TYPE", [
      { message: "The request body must be JSON, with Content-Type: application/json." },
    ]);
  }
  const value = parse(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badRequest("The request body must be a JSON object.");
  }
  return { ...value };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const problem = error instanceof SyntaxError ? "is not valid JSON" : "is not valid UTF-8";
    throw badRequest(`The request body ${problem}.`);
  }
}

/** Reads a body. Throws 413 as soon as it exceeds the limit. */
async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > bodyBytes) throw tooLarge();
  if (declared !== null && /^\d+$/.test(declared))
    return new Uint8Array(await request.arrayBuffer());
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > bodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A body that is not JSON: its headers, and its bytes as they arrive. */
export type RequestBody = {
  length: number | undefined;
  contentType: string | undefined;
  /** The client's digest of the bytes (RFC 9530). */
  digest: string | undefined;
  bytes: AsyncIterable<Uint8Array>;
};

/** The body of a request as a stream of bytes. */
export function bytesOf(request: Request): RequestBody {
  const { headers } = request;
  const declared = headers.get("content-length");
  const length = declared === null ? undefined : Number(declared);
  return {
    length,
    contentType: headers.get("content-type") ?? undefined,
    digest: headers.get("content-digest") ?? undefined,
    bytes: readChunks(request, length),
  };
}

async function* readChunks(request: Request, length: number | undefined) {
  const truncated = () => badRequest("The request body ended early.");
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      yield chunk;
    }
  } catch {
    throw truncated();
  }
  if (length !== undefined && size !== length) throw truncated();
}
