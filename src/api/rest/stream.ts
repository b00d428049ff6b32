import type { Logger } from "pino";
import type { ServedStream } from "../../kernel/request/responses.ts";
import { attached } from "../../platform/http/disposition.ts";

/** Answers a download. A failure on the way breaks the connection off, so that the client cannot take a part for the whole; a client that goes away stops the production. */
export async function answerMade(
  request: Request,
  { filename, contentType, open }: ServedStream,
  others: Record<string, string>,
  log: Logger,
): Promise<Response> {
  const headers = {
    ...others,
    "Content-Type": contentType,
    "Content-Disposition": attached(filename),
    "Cache-Control": "private, no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
  };
  const gone = new AbortController();
  const made = await open(gone.signal);
  if (request.method === "HEAD") {
    gone.abort();
    return new Response(null, { headers });
  }
  const source = made[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await source.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        log.warn({ err: error, requestId: others["X-Request-Id"] }, "an answer broke off");
        controller.error(error);
      }
    },
    async cancel() {
      gone.abort();
      await source.return?.().catch(() => undefined);
    },
  });
  return new Response(body, { headers });
}
