import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** A balancer in front of instances: it sends calls by turns to those that say they are ready. */
export type Balancer = {
  url: string;
  /** Adds an instance, and waits until it gets calls. */
  add(url: string): Promise<void>;
  remove(url: string): void;
  /** What went wrong between the balancer and an instance. It repeats nothing. */
  errors: string[];
};

const checkMs = 100;

/** Starts a balancer that keeps its connections to instances open, as nginx does. */
export async function startBalancer(): Promise<Balancer> {
  const isReady = new Map<string, boolean>();
  const errors: string[] = [];
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const next = () => {
    const ready = [...isReady.keys()].filter((url) => isReady.get(url));
    return ready[turn++ % ready.length];
  };
  const server = createServer((call, answer) => {
    const to = next();
    if (to !== undefined) return pass(call, answer, to, agent, errors);
    errors.push("No instance is ready.");
    answer.writeHead(502).end();
  });
  // The clients of a test may pause while the machine is busy.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, "127.0.0.1"), "listening");
  const ended = new AbortController();
  const check = async () => {
    while (!ended.signal.aborted) {
      for (const url of isReady.keys()) {
        const state = await stateOf(url);
        if (state !== "busy" && isReady.has(url)) isReady.set(url, state === "ready");
      }
      await pause(checkMs);
    }
  };
  const checking = check();
  onTestFinished(async () => {
    ended.abort();
    await checking;
    agent.destroy();
    server.closeAllConnections();
    await once(server.close(), "close");
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    errors,
    async add(url) {
      isReady.set(url, false);
      while (isReady.get(url) !== true) await pause(checkMs / 4);
    },
    remove: (url) => void isReady.delete(url),
  };
}

/** What an instance says: on a busy machine a check takes too long, which is no reason to leave. */
async function stateOf(url: string): Promise<"ready" | "busy" | "ending"> {
  try {
    const response = await fetch(`${url}/readyz`, { headers: { Connection: "close" } });
    const text = await response.text();
    return response.ok ? "ready" : text.includes("database_unavailable") ? "busy" : "ending";
  } catch {
    return "ending";
  }
}

function pass(
  call: IncomingMessage,
  answer: ServerResponse,
  to: string,
  agent: Agent,
  errors: string[],
): void {
  const { method, headers } = call;
  const passed = request(`${to}${call.url}`, { method, headers, agent }, (response) => {
    const { connection: _, ...others } = response.headers;
    answer.writeHead(response.statusCode ?? 502, others);
    response.pipe(answer);
  });
  passed.on("error", (error) => {
    errors.push(`${method} ${call.url}: ${error.message}`);
    if (!answer.headersSent) answer.writeHead(502);
    answer.end();
  });
  call.pipe(passed);
}
