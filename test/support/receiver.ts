import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Webhook } from "standardwebhooks";
import { faultOfDelivery } from "./responses.ts";

/** One request; `verifiedBy` lists the trusted secrets that verify its signature. */
export type Delivery = {
  id: string;
  timestampSeconds: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  verifiedBy: string[];
};

/** How the receiver answers: with a status (200), after `delayMs` or `until`, or with a fault. */
export type Behaviour = {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  delayMs?: number;
  /** The answer comes when this is resolved. */
  until?: Promise<unknown>;
  /**
   * `reset` resets the connection, `stall` never answers, `endless` never stops,
   * `drip` sends headers and single bytes, `cut` closes the connection in the body.
   */
  how?: "reset" | "stall" | "endless" | "drip" | "cut";
};

/** A receiver on loopback; its requests are in `deliveries`, in order. */
export type Receiver = {
  url: string;
  port: number;
  deliveries: Delivery[];
  /** The number of connections so far. */
  connections: () => number;
  /** Resolves when every connection is closed. */
  idle: () => Promise<void>;
  /** Adds a trusted secret. */
  trust: (secret: string) => void;
  /** Sets the answer; a function decides per delivery, with the count of earlier deliveries. */
  response: (behaviour: Behaviour | ((delivery: Delivery, count: number) => Behaviour)) => void;
  /** The next delivery; rejects when no trusted secret verifies it. */
  next: () => Promise<Delivery>;
  close: () => Promise<void>;
};

/**
 * Starts a receiver; `now` is the clock for the verification of timestamps.
 *
 * It closes with an error when a body was not as the document declares it, but with `faultOf`.
 */
export const startReceiver = async ({
  secrets = [],
  now = () => new Date(),
  faultOf = faultOfDelivery,
}: {
  secrets?: string[];
  now?: () => Date;
  faultOf?: (body: string) => string | undefined;
} = {}): Promise<Receiver> => {
  const trusted = [...secrets];
  const deliveries: Delivery[] = [];
  const faults = new Map<string, string>();
  const waiting: (() => void)[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let handedOut = 0;
  const sockets: Socket[] = [];
  let behave: (delivery: Delivery, count: number) => Behaviour = () => ({});

  const server = createServer(async (request, response) => {
    // Tests reset connections.
    request.on("error", () => undefined);
    const delivery = await read(request, trusted, now);
    const fault = faults.has(delivery.body) ? undefined : faultOf(delivery.body);
    if (fault !== undefined) faults.set(delivery.body, fault);
    const behaviour = behave(delivery, deliveries.push(delivery) - 1);
    for (const wake of waiting.splice(0)) wake();
    const act = () => perform(behaviour, request, response, timers);
    await behaviour.until;
    if (behaviour.delayMs === undefined) act();
    else timers.add(setTimeout(act, behaviour.delayMs));
  });
  server.on("connection", (socket) => sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    deliveries,
    connections: () => sockets.length,
    idle: async () => {
      // Not once(): that would reject for a connection that was reset.
      for (const socket of sockets)
        if (!socket.closed) await new Promise((closed) => socket.on("close", closed));
    },
    trust: (secret) => void trusted.push(secret),
    response: (behaviour) => {
      behave = typeof behaviour === "function" ? behaviour : () => behaviour;
    },
    next: async () => {
      const index = handedOut++;
      for (;;) {
        const delivery = deliveries[index];
        if (delivery === undefined) await new Promise<void>((wake) => waiting.push(wake));
        else if (delivery.verifiedBy.length > 0) return delivery;
        else throw new Error(`No trusted secret verifies the delivery ${delivery.id}.`);
      }
    },
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      const [undeclared] = faults;
      if (undeclared !== undefined) throw new Error(`Undeclared body: ${undeclared.join(": ")}`);
    },
  };
};

const read = async (
  request: IncomingMessage,
  trusted: string[],
  now: () => Date,
): Promise<Delivery> => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    id: headers["webhook-id"] ?? "",
    timestampSeconds: Number(headers["webhook-timestamp"]),
    path: request.url ?? "",
    headers,
    body,
    verifiedBy: trusted.filter((secret) => verifies(secret, body, headers, now)),
  };
};

const verifies = (
  secret: string,
  body: string,
  headers: Record<string, string>,
  now: () => Date,
) => {
  const real = Date.now;
  // The library reads the time itself. It runs without an await, so no other code sees the change.
  Date.now = () => now().getTime();
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  } finally {
    Date.now = real;
  }
};

const perform = (
  { status = 200, headers = {}, body = "", how }: Behaviour,
  request: IncomingMessage,
  response: ServerResponse,
  timers: Set<NodeJS.Timeout>,
) => {
  response.on("error", () => undefined);
  if (how === "stall") return;
  if (how === "reset") return void request.socket.resetAndDestroy();
  response.writeHead(status, how === "cut" ? { ...headers, "content-length": "1000" } : headers);
  if (how === undefined) return void response.end(body);
  response.write(body === "" ? "x" : body, () => {
    if (how === "cut") response.destroy();
  });
  if (how === "drip") {
    timers.add(setInterval(() => response.write("x"), 20));
  }
  if (how === "endless") {
    const more = Buffer.alloc(16 * 1024, "x");
    const pour = () => {
      while (!response.destroyed && response.write(more));
    };
    response.on("drain", pour);
    pour();
  }
};
