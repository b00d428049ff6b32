import { once } from "node:events";
import { createServer } from "node:http";

/** Targets on loopback, one a path; `hear` is told when a delivery has begun to arrive. */
export type Targets = {
  url: string;
  hear(listener: (path: string, id: string, at: number) => void): void;
  close(): Promise<void>;
};

/** Starts targets that answer 204 at once; those at `/slow` after 14 s, those at `/dead` never. */
export async function startTargets(): Promise<Targets> {
  let told: Parameters<Targets["hear"]>[0] = () => undefined;
  const timers = new Set<NodeJS.Timeout>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    told(path, String(request.headers["webhook-id"]), performance.now());
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
    hear(listener) {
      told = listener;
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
