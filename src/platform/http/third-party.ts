import type { z } from "zod";
import { badRequest, Failure, badGateway } from "../errors.ts";
import { checkDestination, type OutgoingOptions } from "./address-guard.ts";
import { sendTo } from "./outgoing.ts";
import { codeOf } from "../error-code.ts";

/** The limits of a third party: ms per request, ms per call, decompressed bytes per response. */
export type ThirdPartyLimits = { requestMs: number; totalMs: number; bytes: number };

const usual: ThirdPartyLimits = { requestMs: 15_000, totalMs: 60_000, bytes: 8 * 1024 * 1024 };

/** The response of a third party, with any status. */
export type ThirdPartyResponse = { status: number; headers: Headers; text: string };

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
  const { requestMs, totalMs, bytes } = { ...usual, ...limits };
  const deadline = performance.now() + totalMs;
  return async (url, request) => {
    const remainingMs = Math.max(0, Math.floor(Math.min(requestMs, deadline - performance.now())));
    const signal = AbortSignal.timeout(remainingMs);
    try {
      const headers = { "User-Agent": "workspace-board-service", ...request.headers };
      const response = await send(url, { ...request, headers }, signal);
      const text = await readText(service, response.body, bytes);
      return { status: response.status, headers: response.headers, text };
    } catch (error) {
      if (error instanceof Failure) throw error;
      // Not passed on as a cause: it contains the request with the credential.
      throw badGateway(
        "provider_unreachable",
        signal.aborted
          ? `${service} did not respond in time.`
          : `${service} is unreachable (${codeIn(error) ?? "connection failed"}).`,
      );
    }
  };
}

async function readText(
  service: string,
  stream: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes)
      throw badGateway("provider_failed", `${service} sent more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function codeIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  return /^[A-Z][A-Z0-9_]*$/.test(code) ? code : codeIn(error.cause);
}

const unreadable = (service: string) =>
  badGateway("provider_failed", `${service} sent an invalid response.`);

/** Validates a value. Throws 502 without repeating the value. */
export function validateResponse<T>(service: string, schema: z.ZodType<T>, value: unknown): T {
  const { success, data } = schema.safeParse(value);
  if (!success) throw unreadable(service);
  return data;
}

/** Parses and validates JSON. Throws 502 when it is invalid. */
export function parseResponse<T>(service: string, schema: z.ZodType<T>, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable(service);
  }
  return validateResponse(service, schema, value);
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
