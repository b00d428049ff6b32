import type { FailureCodeOf } from "../../../contract/failure-codes.ts";
import type { Received } from "../../../platform/http/responses.ts";
import { type Failure, badGateway, tooManyRequests, failure } from "../../../platform/errors.ts";
import {
  type ThirdPartyResponse,
  type ThirdPartyLimits,
  retryAfter,
  timeOf,
} from "../../../platform/http/third-party.ts";

/** Where GitHub's API is (`GITHUB_API_URL`), and what a call of it may take. */
export type GitHubApi = { apiUrl: string; limits?: Partial<ThirdPartyLimits> };

/**
 * Our registration with GitHub: `GITHUB_URL`, `GITHUB_API_URL`, `GITHUB_CLIENT_ID`,
 * `GITHUB_CLIENT_SECRET`.
 */
export type GitHubApp = GitHubApi & { url: string; clientId: string; clientSecret: string };

const refusal = (code: FailureCodeOf<"FORBIDDEN">, why: string) =>
  failure(code, `${why} To connect, open the url that GET /integration/authorize returns.`);

/** 403: no GitHub account is connected. */
export const notConnected = () =>
  refusal("github_not_connected", "No GitHub account is connected.");

/** 403: the token was revoked or has expired. */
export const refused = () =>
  refusal("github_refused", "GitHub refused the stored connection: it was revoked or has expired.");

/** 403: the token does not give access to this resource. */
export const accessDenied = () =>
  refusal("github_forbidden", "GitHub forbids the stored connection to read projects.");

/** 403: the token was given fewer scopes than are needed. */
export const missingScopes = () =>
  refusal("github_scopes", "The stored connection to GitHub lacks read:project or read:org.");

/**
 * 403: the code of a callback was used before, has expired, or belongs to another authorization.
 */
export const codeRefused = () =>
  refusal(
    "github_code_refused",
    "GitHub refused this authorization: it was used before or has expired.",
  );

/** 429 until GitHub's rate limit resets. */
export function limited(headers: Headers): Failure {
  const seconds = secondsToWait(headers);
  return tooManyRequests(
    "provider_rate_limited",
    `GitHub's rate limit is used up. Retry in ${Math.ceil(seconds)} s.`,
    seconds,
  );
}

// GitHub asks for a minute when it names neither a delay nor a reset.
const defaultSeconds = 60;

function secondsToWait(headers: Headers): number {
  const reset = Number(headers.get("x-ratelimit-reset") ?? Number.NaN);
  const untilReset = usedUp(headers) ? reset - timeOf(headers) / 1000 : Number.NaN;
  const seconds =
    retryAfter(headers) ?? (Number.isFinite(untilReset) ? untilReset : defaultSeconds);
  return Math.min(Math.max(seconds, 1), 86_400);
}

const usedUp = (headers: Headers) => headers.get("x-ratelimit-remaining") === "0";

/** Whether a text of GitHub's names a primary, secondary or abuse limit. */
export const mentionsLimit = (text: string) => /rate limit|abuse detection/i.test(text);

/** A successful response; throws 403, 429 or 502 for any other. */
export function accept({ status, headers, chunks, text }: ThirdPartyResponse): Received {
  if (status === 200) return { service: "GitHub", chunks };
  if (status === 401) throw refused();
  if (status === 429) throw limited(headers);
  if (status === 403) {
    if (usedUp(headers) || headers.has("retry-after") || mentionsLimit(text)) {
      throw limited(headers);
    }
    // A 403 that is not JSON comes from a proxy, and says nothing about the token.
    if (headers.get("content-type")?.includes("json")) throw accessDenied();
  }
  throw badGateway("provider_failed", `GitHub answered with status ${status}.`);
}

/**
 * The scopes of a list as GitHub writes it: with commas in a grant, with commas and spaces in a
 * header.
 */
export const scopesOf = (list: string | null | undefined) =>
  (list ?? "").split(/[\s,]+/).filter(Boolean);
