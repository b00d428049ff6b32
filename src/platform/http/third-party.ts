import type { Client } from "undici";
import type { z } from "zod";
import { badRequest, Failure, badGateway } from "../errors.ts";
import { checkDestination, type OutgoingOptions } from "./address-guard.ts";
import { connectTo } from "./outgoing.ts";
import { paced } from "./pace.ts";
import { codeOf } from "../error-code.ts";

/** The limits of a third party: ms per request, ms per call, decompressed bytes per response. */
export type ThirdPartyLimits = {
  requestMs: number;
  totalMs: number;
  bytes: number;
  /** Ends the request, when nobody waits for its answer. */
  signal?: AbortSignal | undefined;
};

const usual: ThirdPartyLimits = { requestMs: 15_000, totalMs: 60_000, bytes: 8 * 1024 * 1024 };

/** The response of a third party, with any status. `text` has the first kilobytes of its body. */
export type ThirdPartyResponse = {
  status: number;
  headers: Headers;
  chunks: Uint8Array[];
  readonly text: string;
};

/** The most bytes of a body that this process itself reads as text. */
const maxTextBytes = 64 * 1024;

/** A request to a third party. Its body is sent as JSON, or as a form if its headers say so. */
export type ThirdPartyRequest = {
  method?: "GET" | "POST";
  headers: Record<string, string>;
  body?: object;
};

/** Sends a request to a third party. Throws 502 without a complete response in the limits. */
export type ThirdPartyClient = (
  url: string,
  request: ThirdPartyRequest,
) => Promise<ThirdPartyResponse>;

/** Connects to an address that a user names; 400 where the address guard refuses it. */
async function connectToNamed(
  address: string,
  { policy, resolve }: OutgoingOptions,
  signal: AbortSignal,
): Promise<Client> {
  const destination = await checkDestination(address, policy, resolve, signal);
  if (!("refusal" in destination))
    return connectTo(destination, { signal, timeoutMs: usual.requestMs });
  if (signal.aborted) throw new Error("The name was not resolved in time.");
  throw badRequest("target_refused", destination.refusal, ["url"]);
}

/** Sends requests over a connection, or over shared ones. */
async function fetchOver(connection?: Client) {
  const [{ createFetch }, { fetch }] = await Promise.all([import("ofetch"), import("undici")]);
  return createFetch({
    fetch: (url, { method = "GET", headers, body, signal = null } = {}) =>
      fetch(url instanceof Request ? url.url : url, {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        body: typeof body === "string" ? body : null,
        signal,
        // A redirect would send the credential to another address.
        redirect: "manual",
        ...(connection === undefined ? {} : { dispatcher: connection }),
      }),
    defaults: { retry: false, ignoreResponseError: true, responseType: "stream" },
  });
}

/**
 * Creates a client for one call of `service`. All its requests share one deadline. `named` is for
 * addresses that a user names: each request has a connection of its own.
 */
export function createThirdPartyClient(
  service: string,
  limits: Partial<ThirdPartyLimits> = {},
  named?: OutgoingOptions,
): ThirdPartyClient {
  const { requestMs, totalMs, bytes, signal: ended } = { ...usual, ...limits };
  const deadline = performance.now() + totalMs;
  return async (url, request) => {
    const remainingMs = Math.max(0, Math.floor(Math.min(requestMs, deadline - performance.now())));
    ended?.throwIfAborted();
    const late = AbortSignal.timeout(remainingMs);
    const signal = ended === undefined ? late : AbortSignal.any([late, ended]);
    let connection: Client | undefined;
    try {
      if (named !== undefined) connection = await connectToNamed(url, named, signal);
      const over = await fetchOver(connection);
      const headers = { "User-Agent": "workspace-board-service", ...request.headers };
      const response = await over.raw(url, { ...request, headers, signal });
      const chunks = await readChunks(service, response.body, bytes);
      return {
        status: response.status,
        headers: response.headers,
        chunks,
        get text() {
          return startOf(chunks).toString("utf8");
        },
      };
    } catch (error) {
      if (error instanceof Failure) throw error;
      ended?.throwIfAborted();
      // Not passed on as a cause: it contains the request with the credential.
      throw badGateway(
        "provider_unreachable",
        late.aborted
          ? `${service} did not respond in time.`
          : `${service} is unreachable (${codeIn(error) ?? "connection failed"}).`,
      );
    } finally {
      // Closes the connection even when the body goes on.
      void connection?.destroy().catch(() => undefined);
    }
  };
}

/** The first bytes of a body, without a copy of the rest. */
function startOf(chunks: Uint8Array[]): Buffer {
  const first: Uint8Array[] = [];
  let size = 0;
  for (const chunk of chunks) {
    first.push(chunk.subarray(0, maxTextBytes - size));
    size += chunk.byteLength;
    if (size >= maxTextBytes) break;
  }
  return Buffer.concat(first);
}

async function* noBody(): AsyncGenerator<Uint8Array> {}

async function readChunks(
  service: string,
  stream: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const late = () => badGateway("provider_unreachable", `${service} answers too slowly.`);
  for await (const chunk of paced(stream ?? noBody(), late)) {
    size += chunk.byteLength;
    if (size > maxBytes)
      throw badGateway("provider_failed", `${service} sent more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return chunks;
}

function codeIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  return /^[A-Z][A-Z0-9_]*$/.test(code) ? code : codeIn(error.cause);
}

/**
 * Parses and validates the JSON of a service that the operator has chosen. Throws 502 when it is
 * invalid. What users can choose is read in a thread: `readAnswer`.
 */
export function parseResponse<T>(service: string, schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw badGateway("provider_failed", `${service} sent an invalid response.`);
  }
}

/** Joins a configured base URL and a path. */
export const joinUrl = (base: string, path: string) => `${base.replace(/(?<!\/)\/+$/, "")}${path}`;

/** The time of the third party, so that a wrong local clock does not shift its resets. */
export function timeOf(headers: Headers): number {
  const time = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(time) ? Date.now() : time;
}

/** The seconds of `Retry-After`. */
export const retryAfter = (headers: Headers): number | undefined =>
  secondsUntil(headers.get("retry-after") ?? "", timeOf(headers));

/** The seconds of the value of a `Retry-After`, which is a number or a date. */
export function secondsUntil(value: string, now: number): number | undefined {
  if (/^\d+$/.test(value)) return Number(value);
  // Date.parse alone would read "-5" as a year.
  const date = /^[A-Z][a-z]+,? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : (date - now) / 1000;
}
