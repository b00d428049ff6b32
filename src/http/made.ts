import type { Logger } from "pino";
import { attached } from "./disposition.ts";

/** An answer that is made while it is sent. `open` is called before the answer begins, so that what it throws is answered as any failure is; its signal says that nobody waits for the rest. */
export type ServedStream = {
  filename: string;
  contentType: string;
  open: (gone: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;
};

/** Answers bytes as they are made, to be saved. What fails on the way ends the connection before the answer is whole; whoever goes away ends the making. */
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
  if (request.method === "HEAD") return new Response(null, { headers });
  const gone = new AbortController();
  const source = (await open(gone.signal))[Symbol.asyncIterator]();
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
