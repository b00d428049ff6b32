import { badRequest, Failure } from "../errors.ts";

/** The most that a JSON body may have, in bytes. */
export const bodyBytes = 1024 * 1024;

/** 413 for a body over the limit; the rest of it is not read, so the connection cannot serve another call. */
export const tooLarge = (limit = bodyBytes) =>
  new Failure("PAYLOAD_TOO_LARGE", [{ message: `The body has more than ${limit} bytes.` }], {
    Connection: "close",
  });

/** Reads a request's JSON object; nothing at all is as good as `{}`. Throws 413, 415, or 400 for what is not a JSON object in UTF-8. */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request).catch((error: unknown) => {
    throw error instanceof Failure ? error : badRequest("The body broke off before its end.");
  });
  if (bytes.byteLength === 0) return {};
  const type = request.headers.get("content-type") ?? "";
  if (!/^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new Failure("UNSUPPORTED_MEDIA_TYPE", [
      { message: "The body must be JSON, with Content-Type: application/json." },
    ]);
  }
  const value = parse(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badRequest("The body must be a JSON object.");
  }
  return { ...value };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? "is not valid JSON" : "is not valid UTF-8";
    throw badRequest(`The body ${why}.`);
  }
}

/** A request's whole body; throws 413 as soon as it is known to be over the limit. */
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

/** A body that is not JSON but bytes: what the request says of them, and they themselves as they come. */
export type RequestBody = {
  length: number | undefined;
  contentType: string | undefined;
  /** The digest that the client has made of them (RFC 9530). */
  digest: string | undefined;
  bytes: AsyncIterable<Uint8Array>;
};

/** A request's body as bytes of any type, of which nothing has been read yet. */
export function bytesOf(request: Request): RequestBody {
  const { headers } = request;
  const declared = headers.get("content-length");
  const length = declared === null ? undefined : Number(declared);
  return {
    length,
    contentType: headers.get("content-type") ?? undefined,
    digest: headers.get("content-digest") ?? undefined,
    bytes: whole(request, length),
  };
}

async function* whole(request: Request, length: number | undefined) {
  const broken = () => badRequest("The body broke off before its end.");
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      yield chunk;
    }
  } catch {
    throw broken();
  }
  if (length !== undefined && size !== length) throw broken();
}
