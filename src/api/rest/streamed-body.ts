import type { Logger } from "pino";
import { Failure } from "../../platform/errors.ts";
import type { ClientConnection } from "./connection.ts";

/** The log for the failure of a body, and the connection that such a failure closes. */
export type SendContext = {
  log: Pick<Logger, "warn" | "error">;
  requestId: string | undefined;
  connection?: ClientConnection | undefined;
};

/**
 * Reads the first bytes of a body before its answer begins: a failure is still an error response.
 *
 * A later failure is logged and closes the connection, so that the client notices the missing part.
 * The adapter of the server would send the message of the error as the end of the body.
 */
export async function streamedBody(
  source: ReadableStream<Uint8Array>,
  { log, requestId, connection }: SendContext,
): Promise<ReadableStream<Uint8Array>> {
  const reader = source.getReader();
  let first: Awaited<ReturnType<typeof reader.read>> | undefined = await reader.read();
  let isCancelled = false;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      const { done, value } = first ?? (await reader.read());
      first = undefined;
      // The client has disconnected meanwhile.
      if (isCancelled) return;
      if (done) controller.close();
      else controller.enqueue(value);
    } catch (error) {
      if (isCancelled) return;
      const level = error instanceof Failure ? "warn" : "error";
      log[level]({ err: error, requestId }, "streamed response failed");
      if (connection === undefined) controller.error(error);
      else connection.destroy();
    }
  };
  const cancel = (reason: unknown) => {
    isCancelled = true;
    return reader.cancel(reason);
  };
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}
