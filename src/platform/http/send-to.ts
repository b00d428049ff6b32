import type { Dispatcher } from "undici";
import { pinned } from "./outgoing.ts";

/** A request to a checked destination; `timeoutMs` is the longest silence. */
type GuardedRequest = {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  version: string;
  signal: AbortSignal;
  timeoutMs: number;
};

/** Sends a request over the checked addresses of a destination, without redirects. */
export async function sendTo(
  { url, addresses }: { url: URL; addresses: string[] },
  { method = "GET", headers = {}, body, version, signal, timeoutMs }: GuardedRequest,
): Promise<Dispatcher.ResponseData> {
  const { Client } = await import("undici");
  const client = new Client(url.origin, {
    connect: await pinned(url, addresses, signal),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  const close = () => void client.destroy().catch(() => undefined);
  try {
    const response = await client.request({
      method,
      path: url.pathname + url.search,
      headers: { "user-agent": `workspace-board-service/${version}`, ...headers },
      ...(body === undefined ? {} : { body }),
      signal,
      reset: true,
    });
    response.body.once("close", close);
    return response;
  } catch (error) {
    close();
    throw error;
  }
}
