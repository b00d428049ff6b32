import type { Dispatcher } from "undici";
import { failure } from "../errors.ts";
import { checkDestination, type OutgoingOptions } from "./address-guard.ts";
import { sendTo } from "./outgoing.ts";

const timeoutMs = 15_000;
const maxRedirects = 5;

/** How long a file may take, from the first request to its last byte. */
const fileMs = 10 * 60_000;

/** 404 for a file that does not arrive, or too slowly. */
export const tooSlow = () => failure("source_not_found", "The file did not arrive in time.");

/** Downloads a file; throws 404 when it does not arrive in time, however slowly it is sent. */
export async function inFileTime<Result>(
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<Result>,
  ms = fileMs,
): Promise<Result> {
  const timeout = AbortSignal.timeout(ms);
  try {
    return await run(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (timeout.aborted && !signal.aborted) throw tooSlow();
    throw error;
  }
}

/**
 * Sends a GET without credentials to an address that a third party names; 404 where the address
 * guard refuses it.
 */
export async function download(
  address: string,
  { policy, resolve, version }: OutgoingOptions,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const destination = await checkDestination(address, policy, resolve, signal);
  if ("refusal" in destination) throw failure("source_not_found", destination.refusal);
  return sendTo(destination, { version, signal, timeoutMs });
}

const redirectCodes = new Set([301, 302, 303, 307, 308]);

/**
 * Follows the redirects of a response from `start` to where a file is stored. The requests after
 * the first one have no credentials.
 */
export async function followRedirects(
  start: string,
  first: Dispatcher.ResponseData,
  next: (address: string) => Promise<Dispatcher.ResponseData>,
): Promise<Dispatcher.ResponseData> {
  let [address, response] = [start, first];
  for (let redirects = 0; redirectCodes.has(response.statusCode); redirects++) {
    await response.body.dump();
    const { location } = response.headers;
    if (typeof location !== "string" || !URL.canParse(location, address)) break;
    if (redirects >= maxRedirects)
      throw failure("source_not_found", "The file has too many redirects.");
    address = new URL(location, address).href;
    response = await next(address);
  }
  return response;
}
