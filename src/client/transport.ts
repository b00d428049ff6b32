import type { Credential } from "./credential.ts";
import { BoardServiceError } from "./errors.ts";

/** A function like `fetch`, with a string as address. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** The limits of a request. */
export type Limits = {
  /** How long one attempt may take until its response starts, in ms; longer for a large body. */
  timeoutMs: number;
  /** How often a request is repeated after a failure that may pass. */
  retries: number;
};

/** The longest wait between two attempts. */
const maxDelayMs = 10_000;
/** The longest wait that a service may ask for. A limit of a day is an error. */
const maxAskedMs = 60_000;
/** A body is sent at this rate at least, in bytes per ms. */
const minRate = 10;

/** Adds the credential to requests, renews it, and repeats what is safe to repeat. */
export function transport(fetch: Fetch, credential: Credential, limits: Limits): Fetch {
  return async (url, init = {}) => {
    const isSafe = isRepeatable(init);
    let isRenewed = false;
    for (let attempt = 0; ; attempt++) {
      const isLast = !isSafe || attempt >= limits.retries;
      const token = await tokenOf(credential);
      init.signal?.throwIfAborted();
      let response: Response | undefined;
      try {
        response = await once(fetch, url, init, token, limits.timeoutMs);
      } catch (error) {
        if (isLast || init.signal?.aborted === true) throw error;
      }
      if (response?.status === 401 && !isRenewed && (await credential.renew(token))) {
        isRenewed = true;
        continue;
      }
      if (response !== undefined && (isLast || !(await mayPass(response)))) return response;
      const delayMs = askedDelay(response?.headers.get("Retry-After")) ?? delayOf(attempt);
      if (response !== undefined && delayMs > maxAskedMs) return response;
      await response?.body?.cancel();
      await delay(delayMs, init.signal);
    }
  };
}

/** Calls a function when the service refuses the credential, and again after it accepted one. */
export function reportRefusals(send: Fetch, refused: () => void): Fetch {
  let isRefused = false;
  return async (url, init) => {
    const response = await send(url, init);
    if (response.ok) isRefused = false;
    if (response.status !== 401 || !(await isRefusal(response)) || isRefused) return response;
    isRefused = true;
    refused();
    return response;
  };
}

/** Whether a 401 is about the credential: not of a gateway, and not a wrong password. */
async function isRefusal(response: Response): Promise<boolean> {
  const text = await response.clone().text();
  return text.includes('"UNAUTHORIZED"') && !text.includes('"sign_in_failed"');
}

/** The token of a credential. One that cannot be read may be read later. */
async function tokenOf(credential: Credential): Promise<string | undefined> {
  try {
    return await credential.token();
  } catch (cause) {
    if (cause instanceof BoardServiceError) throw cause;
    const message = "The token could not be read.";
    throw new BoardServiceError({ status: 0, code: "NETWORK_ERROR", message }, { cause });
  }
}

/** The size of a body that is known before it is sent. */
const sizeOf = ({ body }: RequestInit): number =>
  body instanceof Blob ? body.size : typeof body === "string" ? body.length : 0;

/** One attempt. Throws the caller's abort reason, or a `BoardServiceError` without a response. */
async function once(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  token: string | undefined,
  timeoutMs: number,
): Promise<Response> {
  const timeout = new AbortController();
  const limitMs = timeoutMs + sizeOf(init) / minRate;
  const timer = setTimeout(() => timeout.abort(), limitMs);
  const signals = init.signal ? [init.signal, timeout.signal] : [timeout.signal];
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
  try {
    return await fetch(url, { ...init, headers, signal: anySignal(signals) });
  } catch (cause) {
    if (init.signal?.aborted === true) throw init.signal.reason;
    const message = timeout.signal.aborted
      ? `The service did not respond within ${limitMs} ms.`
      : "The service could not be reached.";
    throw new BoardServiceError({ status: 0, code: "NETWORK_ERROR", message }, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a second request has no second effect, and its body can be sent twice. */
function isRepeatable({ method = "GET", headers, body }: RequestInit): boolean {
  const isStream = typeof body === "object" && body !== null && "getReader" in body;
  return !isStream && (method === "GET" || new Headers(headers).has("Idempotency-Key"));
}

/** Whether the same request may succeed later. */
async function mayPass(response: Response): Promise<boolean> {
  if ([429, 502, 503, 504].includes(response.status)) return true;
  if (response.status !== 409) return false;
  return (await response.clone().text()).includes("idempotency_key_in_flight");
}

/** The wait before the next attempt: random and growing. */
export const delayOf = (attempt: number): number =>
  Math.min(maxDelayMs, 250 * 2 ** attempt) * (0.5 + Math.random() / 2);

/** The wait that the service asks for; undefined when it does not. */
function askedDelay(retryAfter: string | null | undefined): number | undefined {
  const retryMs = Number(retryAfter ?? Number.NaN) * 1000;
  // Spread over half a second, so that many clients do not return at the same moment.
  return Number.isFinite(retryMs) ? retryMs + Math.random() * 500 : undefined;
}

/** A signal that aborts as soon as one of several does. Safari has `AbortSignal.any` since 17.4. */
export function anySignal(signals: AbortSignal[]): AbortSignal {
  if ("any" in AbortSignal) return AbortSignal.any(signals);
  const first = new AbortController();
  for (const signal of signals) {
    const abort = () => first.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true, signal: first.signal });
  }
  return first.signal;
}

/** Waits. Rejects with the reason of an abort. */
export function delay(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
