import { type Answer, post } from "../../platform/http/outgoing.ts";
import { checkTarget, type Outgoing } from "../../platform/http/address-guard.ts";
import { faultSentence } from "./faults.ts";
import { sign } from "./sign.ts";

const textLimit = 4 * 1024;
const longestWait = 24 * 60 * 60;

/** One attempt: `secrets` are all that are valid now, `id` is the same over all attempts, `body` is the JSON as it is signed. */
export type Attempt = {
  url: string;
  secrets: string[];
  id: string;
  body: string;
  timeoutMs?: number;
  /** Breaks it off. */
  signal?: AbortSignal;
};

/** How it went: `ok` only for a whole 2xx answer, `error` a sentence for people, `responseText` the first 4 kB without NULs, `retryAfterSeconds` at most a day. */
export type AttemptResult = {
  ok: boolean;
  statusCode?: number;
  error?: string;
  durationMs: number;
  responseText: string;
  retryAfterSeconds?: number;
};

/** Makes one signed attempt, within 15 s for name, connection and answer together unless told otherwise; never throws. */
export const attempt = async (delivery: Attempt, deps: Outgoing): Promise<AttemptResult> => {
  const { timeoutMs = 15_000, signal } = delivery;
  const started = performance.now();
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener("abort", abort);
  const outcome: Outcome = await exchange(delivery, deps, limit.signal).catch((fault: unknown) => ({
    error: faultSentence(fault),
  }));
  clearTimeout(timer);
  signal?.removeEventListener("abort", abort);
  const durationMs = Math.round(performance.now() - started);
  const { error, ...received } = { responseText: "", ...outcome };
  if (error === undefined) return { ok: true, ...received, durationMs };
  const late = limit.signal.aborted && !isFailure(outcome.statusCode);
  return { ok: false, ...received, error: late ? lateness(timeoutMs) : error, durationMs };
};

type Outcome = Partial<AttemptResult>;

const exchange = async (
  { url, secrets, id, body }: Attempt,
  { resolve, policy, now, version }: Outgoing,
  signal: AbortSignal,
): Promise<Outcome> => {
  const target = await checkTarget(url, policy, resolve, signal);
  if ("refusal" in target) return { error: target.refusal };
  const answer = await post({
    ...target,
    headers: {
      "content-type": "application/json",
      "user-agent": `workspace-board-service/${version}`,
      ...sign(secrets, { id, timestampSeconds: Math.floor(now().getTime() / 1000), body }),
    },
    body,
    signal,
  });
  const error = errorOf(answer);
  const wait = error === undefined ? undefined : retryAfter(answer, now());
  return {
    statusCode: answer.status,
    responseText: textOf(answer.body),
    ...(error === undefined ? {} : { error }),
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
  };
};

const errorOf = ({ status, fault }: Answer) => {
  if (status >= 300 && status < 400)
    return `The target answered ${status}, a redirect, and redirects are never followed.`;
  if (isFailure(status)) return `The target answered ${status}.`;
  // A 204 has no body to break off, whatever length its headers say.
  return fault === undefined || status === 204
    ? undefined
    : "The connection was closed in the middle of the answer.";
};

const isFailure = (status = 200) => status < 200 || status > 299;

const lateness = (ms: number) => `There was no answer within ${ms / 1000} s.`;

// Streaming drops a character that the limit cut in two; NUL is text that PostgreSQL cannot store.
const textOf = (body: Buffer) =>
  new TextDecoder()
    .decode(body.subarray(0, textLimit), { stream: true })
    .replaceAll("\u0000", "\uFFFD");

const retryAfter = ({ headers }: Answer, now: Date) => {
  const value = String(headers["retry-after"] ?? "").trim();
  // Date.parse alone would take "-5" for a year.
  const date = /^[A-Z][a-z]+,? /.test(value) ? Date.parse(value) : Number.NaN;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((date - now.getTime()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), longestWait);
};
