import type { Files, Range } from "../../platform/storage/store.ts";
import { badRequest } from "../../platform/errors.ts";
import type { ServedFile } from "../../kernel/request/responses.ts";
import { attached } from "../../platform/http/disposition.ts";
import { matches } from "./etag.ts";

/** Answers a file, or the part of it that is asked for: to be saved, never to be shown as part of a page. */
export async function answerFile(
  request: Request,
  file: ServedFile,
  files: Files,
  others: Record<string, string>,
): Promise<Response> {
  const etag = `"${file.tag}"`;
  const headers: Record<string, string> = {
    ...others,
    ETag: etag,
    "Cache-Control": "private, no-cache",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Accept-Ranges": "bytes",
  };
  if (matches(request.headers.get("if-none-match") ?? undefined, etag)) {
    return new Response(null, { status: 304, headers });
  }
  const range = request.method === "HEAD" ? undefined : rangeOf(request, file.size, etag);
  if (range === null) {
    const { body } = badRequest(`The file has ${file.size} bytes.`);
    return new Response(JSON.stringify(body), {
      status: 416,
      headers: {
        ...headers,
        "Content-Type": "application/json",
        "Content-Range": `bytes */${file.size}`,
      },
    });
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  const whole = {
    ...headers,
    "Content-Type": file.contentType.startsWith("text/")
      ? `${file.contentType}; charset=utf-8`
      : file.contentType,
    "Content-Disposition": attached(file.filename),
    "Content-Length": String(end - start + 1),
  };
  if (request.method === "HEAD") return new Response(null, { headers: whole });
  const body = await files.get(file.key, range);
  if (range === undefined) return new Response(body, { headers: whole });
  return new Response(body, {
    status: 206,
    headers: { ...whole, "Content-Range": `bytes ${start}-${end}/${file.size}` },
  });
}

/** The one range that a request asks for; undefined for the whole file, null when nothing of the file lies in it. */
function rangeOf({ headers }: Request, size: number, etag: string): Range | undefined | null {
  const asked = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(headers.get("range") ?? "");
  if (asked === null || (headers.get("if-range") ?? etag) !== etag) return undefined;
  const [, from = "", to = ""] = asked;
  if (from === "" && to === "") return undefined;
  if (from !== "" && to !== "" && Number(to) < Number(from)) return undefined;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return start > end ? null : { start, end };
}
