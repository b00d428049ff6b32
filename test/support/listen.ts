import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { serve, type ServerType } from "@hono/node-server";

/**
 * Serves an app on loopback, on a free port unless one is named, for what only a real connection
 * shows.
 */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  at = 0,
): Promise<{ port: number; url: string; close: () => Promise<void> }> {
  const { server, port } = await new Promise<{ server: ServerType; port: number }>((resolve) => {
    const made = serve({ fetch, hostname: "127.0.0.1", port: at }, (info) =>
      resolve({ server: made, port: info.port }),
    );
  });
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** A free port that the system gives to no other server or connection by itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + randomInt(10_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await once(server.close(), "close");
    return port;
  }
}
