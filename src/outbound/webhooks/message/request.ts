import { checkDestination, type OutgoingOptions } from "../../../platform/http/address-guard.ts";
import { secondsUntil } from "../../../platform/http/third-party.ts";
import { post, type OutgoingResponse } from "../../../platform/http/outgoing.ts";
import { traceHeaders } from "../../../platform/tracing/tracing.ts";
import { sign } from "./sign.ts";
import { codeOf } from "../../../platform/error-code.ts";

const messages: [RegExp, string][] = [
  [/^ECONNREFUSED$/, "The receiver refused the connection."],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "The receiver closed the connection without a response."],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN|ETIMEDOUT)$/, "The receiver is unreachable."],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|INVALID_PURPOSE/,
    "The receiver's TLS certificate is not valid.",
  ],
  [/^(EPROTO$|ERR_SSL_|ERR_TLS_)/, "The TLS handshake with the receiver failed."],
  [/^UND_ERR_RES_EXCEEDED/, "The receiver sent too many interim (1xx) responses."],
  [
    /^(HPE_|HTTPParserError$|UND_ERR_(HEADERS|RES)|ERR_ASSERTION$)/,
    "The receiver's response is not valid HTTP.",
  ],
];

/** A sentence for a failed request, without addresses or stack traces. */
function requestErrorMessage(error: unknown): string {
  // The parser of undici leaves some errors without a code, and asserts instead of failing.
  const code = codeOf(error) || (error instanceof Error ? error.name : "");
  return messages.find(([pattern]) => pattern.test(code))?.[1] ?? "The connection failed.";
}

const maxTextBytes = 4 * 1024;
const maxRetryAfterSeconds = 24 * 60 * 60;
const defaultTimeoutMs = 15_000;

/** A message to send: `secrets` sign it, `id` is the same in every attempt, `body` is JSON. */
export type WebhookRequest = {
  url: string;
  secrets: string[];
  id: string;
  body: string;
  /** The time for DNS, connection and response together. */
  timeoutMs?: number;
  /** Aborts the request. */
  signal?: AbortSignal;
  /** Whether a request to these addresses may start now; absent when it always may. */
  admit?: (receiver: { url: URL; addresses: string[] }) => boolean;
};

/** The result of a request; `ok` only for a complete 2xx response. */
export type RequestResult = {
  ok: boolean;
  statusCode?: number;
  /** What failed, as a sentence. */
  error?: string;
  durationMs: number;
  /** The first 4 kB of the response, without NUL characters. */
  responseText: string;
  retryAfterSeconds?: number;
  /** Whether nothing was sent because `admit` refused the addresses. */
  isPostponed?: boolean;
};

/** Sends one signed request; never throws. */
export async function sendRequest(
  request: WebhookRequest,
  outgoing: OutgoingOptions,
): Promise<RequestResult> {
  const { timeoutMs = defaultTimeoutMs, signal } = request;
  const startedAt = performance.now();
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener("abort", abort);
  const outcome: Outcome = await exchange(request, outgoing, limit.signal).catch(
    (error: unknown) => ({ error: requestErrorMessage(error) }),
  );
  clearTimeout(timer);
  signal?.removeEventListener("abort", abort);
  const durationMs = Math.round(performance.now() - startedAt);
  const { error, ...received } = { responseText: "", ...outcome };
  if (error === undefined) return { ok: true, ...received, durationMs };
  const isTimeout = limit.signal.aborted && !isFailure(outcome.statusCode);
  return {
    ok: false,
    ...received,
    error: isTimeout ? timeoutMessage(timeoutMs) : error,
    durationMs,
  };
}

type Outcome = Partial<RequestResult>;

async function exchange(
  { url, secrets, id, body, admit = () => true }: WebhookRequest,
  { resolve, policy, now, version }: OutgoingOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  const receiver = await checkDestination(url, policy, resolve, signal);
  if ("refusal" in receiver) return { error: receiver.refusal };
  if (!admit(receiver)) return { error: "The receiver is at its limit.", isPostponed: true };
  const response = await post(receiver, {
    headers: {
      "content-type": "application/json",
      ...traceHeaders(),
      ...sign(secrets, { id, timestampSeconds: Math.floor(now().getTime() / 1000), body }),
    },
    body,
    version,
    signal,
  });
  const error = errorOf(response);
  const wait = error === undefined ? undefined : retryAfterSeconds(response, now());
  return {
    statusCode: response.status,
    responseText: textOf(response.body),
    ...(error === undefined ? {} : { error }),
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
  };
}

function errorOf({ status, bodyError }: OutgoingResponse): string | undefined {
  if (status >= 300 && status < 400) {
    return `The receiver responded with ${status}. Redirects are not followed.`;
  }
  if (isFailure(status)) return `The receiver responded with ${status}.`;
  // A 204 has no body, whatever its Content-Length says.
  return bodyError === undefined || status === 204
    ? undefined
    : "The connection was closed before the response was complete.";
}

const isFailure = (status = 200) => status < 200 || status > 299;

const timeoutMessage = (ms: number) => `The receiver did not respond within ${ms / 1000} s.`;

// Streaming drops a character that the limit splits. PostgreSQL cannot store NUL.
const textOf = (body: Buffer) =>
  new TextDecoder()
    .decode(body.subarray(0, maxTextBytes), { stream: true })
    .replaceAll("\u0000", "\uFFFD");

function retryAfterSeconds({ headers }: OutgoingResponse, now: Date): number | undefined {
  const seconds = secondsUntil(String(headers["retry-after"] ?? "").trim(), now.getTime());
  return seconds && Math.min(Math.max(Math.ceil(seconds), 0), maxRetryAfterSeconds);
}
