import type { Deps } from "../../kernel/request/deps.ts";
import type { Range } from "../../platform/storage/store.ts";
import { failure } from "../../platform/errors.ts";
import type { ServedFile } from "../../kernel/request/context.ts";
import { attached } from "../../platform/http/disposition.ts";
import { matchesEtag, notModifiedResponse } from "./etag.ts";
import { streamedBody, type SendContext } from "./streamed-body.ts";

/**
 * The response with a file, or with the requested range of it. Browsers download it.
 *
 * `payer` is charged for the bytes that the client reads.
 */
export async function fileResponse(
  request: Request,
  { file, payer }: { file: ServedFile; payer: string },
  { files, downloads }: Pick<Deps, "files" | "downloads">,
  commonHeaders: Record<string, string>,
  sending: SendContext,
): Promise<Response> {
  const etag = `"${file.tag}"`;
  const headers: Record<string, string> = {
    ...commonHeaders,
    ETag: etag,
    "Cache-Control": "private, no-cache",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Accept-Ranges": "bytes",
  };
  if (matchesEtag(request.headers.get("if-none-match") ?? undefined, etag)) {
    return notModifiedResponse(headers);
  }
  const range = request.method === "HEAD" ? undefined : parseRange(request, file.size, etag);
  if (range === null) {
    throw failure(
      "range_not_satisfiable",
      `The range is outside the file, which has ${file.size} bytes.`,
      { headers: { ...headers, "Content-Range": `bytes */${file.size}` } },
    );
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  const fileHeaders = {
    ...headers,
    "Content-Type": file.contentType.startsWith("text/")
      ? `${file.contentType}; charset=utf-8`
      : file.contentType,
    "Content-Disposition": attached(file.filename),
    "Content-Length": String(end - start + 1),
  };
  if (request.method === "HEAD") return new Response(null, { headers: fileHeaders });
  const length = end - start + 1;
  await downloads.spend(payer, length);
  const read = readCounted(
    () => files.get(file.key, range),
    length,
    (unread) => downloads.refund(payer, unread),
  );
  const body = await streamedBody(ReadableStream.from(read), sending);
  if (range === undefined) return new Response(body, { headers: fileHeaders });
  return new Response(body, {
    status: 206,
    headers: { ...fileHeaders, "Content-Range": `bytes ${start}-${end}/${file.size}` },
  });
}

/** Streams the bytes of a file, and refunds those that were not read. */
async function* readCounted(
  open: () => Promise<ReadableStream<Uint8Array>>,
  length: number,
  refund: (bytes: number) => Promise<void>,
) {
  let unread = length;
  try {
    for await (const chunk of await open()) {
      unread -= chunk.byteLength;
      yield chunk;
    }
  } finally {
    if (unread > 0) await refund(unread);
  }
}

/** The requested range; undefined for the entire file, null when it is outside the file. */
function parseRange({ headers }: Request, size: number, etag: string): Range | undefined | null {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(headers.get("range") ?? "");
  if (match === null || (headers.get("if-range") ?? etag) !== etag) return undefined;
  const [, from = "", to = ""] = match;
  if (from === "" && to === "") return undefined;
  if (from !== "" && to !== "" && Number(to) < Number(from)) return undefined;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return start > end ? null : { start, end };
}
