import type { z } from "zod";
import { badRequest, Failure, badGateway } from "../errors.ts";
import { checkDestination, type OutgoingOptions } from "./address-guard.ts";
import { sendTo } from "./outgoing.ts";
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

/** A request to a third party. */
export type ThirdPartyRequest = {
  method?: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
};

/** Sends a request to a third party. Throws 502 without a complete response in the limits. */
export type ThirdPartyClient = (
  url: string,
  request: ThirdPartyRequest,
) => Promise<ThirdPartyResponse>;

type Answer = { status: number; headers: Headers; body: AsyncIterable<Uint8Array> | null };
type Send = (url: string, request: ThirdPartyRequest, signal: AbortSignal) => Promise<Answer>;

/** Sends to an address of the configuration. */
const sendToConfigured: Send = (url, request, signal) =>
  // A redirect would send the credential to another address.
  fetch(url, { ...request, redirect: "manual", signal });

/** Sends to an address that a user names; 400 where the address guard refuses it. */
export const sendToNamed =
  ({ policy, resolve, version }: OutgoingOptions): Send =>
  async (address, request, signal) => {
    const destination = await checkDestination(address, policy, resolve, signal);
    if ("refusal" in destination) {
      if (signal.aborted) throw new Error("The name was not resolved in time.");
      throw badRequest("target_refused", destination.refusal, ["url"]);
    }
    const { statusCode, headers, body } = await sendTo(destination, {
      ...request,
      version,
      signal,
      timeoutMs: usual.requestMs,
    });
    const entries = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    return { status: statusCode, headers: new Headers(Object.fromEntries(entries)), body };
  };

/** Creates a client for one call of `service`. All its requests share one deadline. */
export function createThirdPartyClient(
  service: string,
  limits: Partial<ThirdPartyLimits> = {},
  send: Send = sendToConfigured,
): ThirdPartyClient {
  const { requestMs, totalMs, bytes, signal: ended } = { ...usual, ...limits };
  const deadline = performance.now() + totalMs;
  return async (url, request) => {
    const remainingMs = Math.max(0, Math.floor(Math.min(requestMs, deadline - performance.now())));
    ended?.throwIfAborted();
    const late = AbortSignal.timeout(remainingMs);
    const signal = ended === undefined ? late : AbortSignal.any([late, ended]);
    try {
      const headers = { "User-Agent": "workspace-board-service", ...request.headers };
      const response = await send(url, { ...request, headers }, signal);
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
