import type { Dispatcher } from "undici";
import { badGateway, Failure, tooManyRequests, notFound } from "../../../platform/errors.ts";
import type { Outgoing } from "../../../platform/http/address-guard.ts";
import { download } from "../../../platform/http/download.ts";
import { joinUrl } from "../../../platform/http/third-party.ts";
import { authorization, type TrelloApi, type TrelloCredentials } from "./call.ts";

const timeoutMs = 15_000;
const maxRedirects = 5;
const redirectCodes = new Set([301, 302, 303, 307, 308]);

/** A file of a card at Trello. */
export type TrelloUpload = { cardId: string; attachmentId: string; fileName: string };
type Response = Dispatcher.ResponseData;

/** Downloads a file from Trello; throws 404, 429 or 502. */
export async function downloadUpload(
  { apiUrl, outgoing }: Pick<TrelloApi, "apiUrl"> & { outgoing: Outgoing },
  credentials: TrelloCredentials,
  { cardId, attachmentId, fileName }: TrelloUpload,
  signal: AbortSignal,
): Promise<Pick<Response, "headers"> & { body: AsyncIterable<Uint8Array> }> {
  const parts = ["1", "cards", cardId, "attachments", attachmentId, "download", fileName];
  const path = parts.map((part) => encodeURIComponent(part)).join("/");
  const url = joinUrl(apiUrl, `/${path}`);
  const { request } = await import("undici");
  const first = () =>
    request(url, {
      headers: {
        authorization: authorization(credentials),
        "user-agent": "workspace-board-service",
      },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal,
    });
  const { statusCode, headers, body } = await followed(url, first, (address) =>
    download(address, outgoing, signal),
  );
  if (statusCode === 200) return { headers, body: bytesOf(body) };
  await body.dump();
  throw failureFor(statusCode, headers["retry-after"]);
}

/** Follows redirects to the storage of Trello. The credentials go to Trello's own address only. */
async function followed(
  start: string,
  first: () => Promise<Response>,
  next: (address: string) => Promise<Response>,
): Promise<Response> {
  let address = start;
  let response = await orUnreachable(first());
  for (let redirects = 0; redirectCodes.has(response.statusCode); redirects++) {
    await response.body.dump();
    const { location } = response.headers;
    if (typeof location !== "string" || !URL.canParse(location, address)) break;
    if (redirects >= maxRedirects) throw notFound("source");
    address = new URL(location, address).href;
    response = await orUnreachable(next(address));
  }
  return response;
}

/** The bytes of a response; a connection that breaks is 502. */
async function* bytesOf(body: Response["body"]): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw unreachable(error);
  }
}

const orUnreachable = (response: Promise<Response>) =>
  response.catch((error: unknown) => {
    throw unreachable(error);
  });

const unreachable = (error: unknown) =>
  error instanceof Failure ? error : badGateway("provider_unreachable", "Trello does not respond.");

function failureFor(status: number, retryAfter: unknown): Failure {
  if (status === 429)
    return tooManyRequests(
      "provider_rate_limited",
      "Trello's rate limit is used up.",
      Number(retryAfter) || 10,
    );
  return status >= 500
    ? badGateway("provider_failed", `Trello answered with status ${status}.`)
    : notFound("source");
}
