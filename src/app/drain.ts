import { setTimeout as pause } from "node:timers/promises";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Config } from "../platform/config.ts";

type Settings = Pick<Config, "DRAIN_SECONDS" | "NODE_ENV">;

/** How long a process still serves calls after SIGTERM, in s: balancers need that to notice. */
const drainSecondsOf = ({ DRAIN_SECONDS, NODE_ENV }: Settings): number =>
  DRAIN_SECONDS ?? (NODE_ENV === "production" ? 5 : 0);

/**
 * Prepares a server for its end. The returned function waits while balancers notice that it is not
 * ready. From then on each answer says that it is the last of its connection: so no client sends a
 * call over a connection that is being closed.
 */
export function drainOf(server: Server, settings: Settings): () => Promise<void> {
  const running = new Set<ServerResponse>();
  let isEnding = false;
  const announce = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader("Connection", "close");
  };
  // Before the handler of the server, which may answer at once.
  server.prependListener("request", (_: IncomingMessage, response: ServerResponse) => {
    if (isEnding) announce(response);
    running.add(response);
    response.once("close", () => running.delete(response));
  });
  return async () => {
    isEnding = true;
    for (const response of running) announce(response);
    await pause(drainSecondsOf(settings) * 1_000);
  };
}
