import { once } from "node:events";
import { createServer } from "node:http";

/** Webhook receivers on loopback, one per path; `listen` sets the listener of deliveries. */
export type Receivers = {
  url: string;
  listen(listener: (path: string, id: string, at: number) => void): void;
  close(): Promise<void>;
};

/** Starts receivers that answer 204 at once; those at `/slow` after 14 s, those at `/dead` never. */
export async function startReceivers(): Promise<Receivers> {
  let listener: Parameters<Receivers["listen"]>[0] = () => undefined;
  const timers = new Set<NodeJS.Timeout>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    listener(path, String(request.headers["webhook-id"]), performance.now());
    request.resume();
    if (path === "/dead") return;
    const answer = () => void response.writeHead(204).end();
    if (path === "/slow") timers.add(setTimeout(answer, 14_000));
    else request.on("end", answer);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    listen(other) {
      listener = other;
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
