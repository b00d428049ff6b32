import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";

/** One call; `body` is JSON, or bytes. */
export type FairCall = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  /** Where the path begins; the REST API by default. */
  base?: "" | "/kan/api/v1";
  body?: unknown;
  bytes?: Buffer;
};

/** A client with a network address and connections of its own. */
export type FairClient = {
  /** Makes a call, and reads its answer to the end. */
  send(call: FairCall): Promise<{ status: number; retryAfter: number; body: any }>;
  close(): Promise<void>;
};

/** Opens a client; the service sees `ip` as its address. */
export function openClient(origin: string, ip: string, token?: string): FairClient {
  const agent = new Agent({ connections: 32, headersTimeout: 60_000, bodyTimeout: 60_000 });
  return {
    async send({ method, path, base = "/api/v1", body, bytes }) {
      const { statusCode, headers, ...response } = await request(`${origin}${base}${path}`, {
        dispatcher: agent,
        method,
        headers: {
          "x-forwarded-for": ip,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(bytes === undefined ? {} : { "content-type": "application/octet-stream" }),
        },
        body: bytes ?? (body === undefined ? null : JSON.stringify(body)),
      });
      const text = await response.body.text();
      const isJson = String(headers["content-type"]).startsWith("application/json");
      return {
        status: statusCode,
        retryAfter: Number(headers["retry-after"] ?? 0),
        body: isJson && text.length < 1_000_000 ? JSON.parse(text) : undefined,
      };
    },
    close: () => agent.destroy(),
  };
}

/** Makes calls in parallel until the signal; waits as `Retry-After` says. Returns all statuses. */
export async function repeat(
  client: FairClient,
  parallel: number,
  next: () => FairCall,
  until: AbortSignal,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  setMaxListeners(0, until);
  const line = async () => {
    do {
      const { status, retryAfter } = await client
        .send(next())
        .catch(() => ({ status: 0, retryAfter: 1 }));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status < 400) continue;
      await pause(Math.max(0.1, retryAfter) * 1000, undefined, { signal: until }).catch(
        () => undefined,
      );
    } while (!until.aborted);
  };
  await Promise.all(Array.from({ length: parallel }, line));
  return statuses;
}
