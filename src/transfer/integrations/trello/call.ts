import type { z } from "zod";
import { type Failure, badGateway, tooManyRequests, failure } from "../../../platform/errors.ts";
import { readResponse } from "../../../platform/http/responses.ts";
import {
  type ThirdPartyResponse,
  createThirdPartyClient,
  type ThirdPartyLimits,
  retryAfter,
  joinUrl,
} from "../../../platform/http/third-party.ts";

/** Where Trello's API is (`TRELLO_API_URL`), and what a call of it may take. */
export type TrelloApi = { apiUrl: string; limits?: Partial<ThirdPartyLimits> };

/** A caller's own credentials at Trello. */
export type TrelloCredentials = { apiKey: string; token: string };

/**
 * Calls Trello's API with a caller's credentials; throws 403 (its issue says which of key
 * and token was refused), 404, 429 or 502.
 */
export async function callTrello<T>(
  api: TrelloApi,
  credentials: TrelloCredentials,
  path: string,
  shape: z.ZodType<T>,
): Promise<T> {
  const response = await createThirdPartyClient("Trello", api.limits)(joinUrl(api.apiUrl, path), {
    headers: { Accept: "application/json", Authorization: authorization(credentials) },
  });
  const received = { service: "Trello", chunks: accept(response) };
  return readResponse(received, shape, { signal: api.limits?.signal });
}

/** The header with the credentials: URLs are logged, so they contain no credentials. */
export const authorization = ({ apiKey, token }: TrelloCredentials) =>
  `OAuth oauth_consumer_key="${encoded(apiKey)}", oauth_token="${encoded(token)}"`;

// Encoded from bytes, because encoding a lone surrogate throws.
const encoded = (value: string) => encodeURIComponent(Buffer.from(value).toString());

function accept({ status, headers, chunks, text }: ThirdPartyResponse): Uint8Array[] {
  if (status === 200) return chunks;
  if (status === 429) {
    throw tooManyRequests(
      "provider_rate_limited",
      "Trello's rate limit for this key or token is used up.",
      secondsToWait(headers),
    );
  }
  // What is not Trello's own short text comes from something in between, and says nothing about
  // the credentials.
  const isTrelloResponse = !headers.get("content-type")?.includes("html");
  if (isTrelloResponse && (status === 401 || ([400, 403].includes(status) && refusal.test(text)))) {
    throw /\b(app|api|invalid) key\b/i.test(text) ? keyRefused() : tokenRefused(text);
  }
  if (isTrelloResponse && (status === 404 || (status === 400 && /\binvalid id\b/i.test(text))))
    throw failure("source_not_found", "Trello does not have this resource.");
  throw badGateway("provider_failed", `Trello answered with status ${status}.`);
}

const refusal = /\b(invalid|expired|unauthorized) (key|token|app|api|permission)/i;

const keyRefused = () =>
  failure(
    "trello_key_refused",
    "Trello refused the API key. Copy it again from https://trello.com/power-ups/admin.",
    { path: ["apiKey"] },
  );

function tokenRefused(text: string): Failure {
  const why = /expired/i.test(text)
    ? "it has expired"
    : /permission/i.test(text)
      ? "it lacks the permission to read"
      : "it is not valid for this key";
  return failure(
    "trello_token_refused",
    `Trello refused the token: ${why}. ` +
      "Get a new one: open the `url` of GET /integration/authorize?provider=trello.",
    { path: ["token"] },
  );
}

// Trello counts in windows of ten seconds and names them in headers, but not what is left of them.
function secondsToWait(headers: Headers): number {
  const windows = ["api-key", "api-token"].flatMap((kind) => {
    const isUsedUp = headers.get(`x-rate-limit-${kind}-remaining`) === "0";
    const length = Number(headers.get(`x-rate-limit-${kind}-interval-ms`)) / 1000;
    return isUsedUp && length > 0 ? [length] : [];
  });
  const seconds = retryAfter(headers) ?? (windows.length > 0 ? Math.max(...windows) : 10);
  return Math.min(Math.max(seconds, 1), 86_400);
}
