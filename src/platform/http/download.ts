import type { Dispatcher } from "undici";
import { failure } from "../errors.ts";
import { checkDestination, type Outgoing } from "./address-guard.ts";
import { pinned } from "./outgoing.ts";

const timeoutMs = 15_000;

/**
 * Sends a GET without credentials to an address that a third party names; 404 where the address
 * guard refuses it.
 */
export async function download(
  address: string,
  { policy, resolve, version }: Outgoing,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const destination = await checkDestination(address, policy, resolve, signal);
  if ("refusal" in destination) throw failure("source_not_found", destination.refusal);
  const { url, addresses } = destination;
  const { Client } = await import("undici");
  const client = new Client(url.origin, {
    connect: await pinned(url, addresses, signal),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  const close = () => void client.destroy().catch(() => undefined);
  try {
    const response = await client.request({
      method: "GET",
      path: url.pathname + url.search,
      headers: { "user-agent": `workspace-board-service/${version}` },
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
