import type { Dispatcher } from "undici";
import { badGateway, Failure, tooManyRequests, notFound } from "../../../platform/errors.ts";
import type { OutgoingOptions } from "../../../platform/http/address-guard.ts";
import { download, followRedirects, tooSlow } from "../../../platform/http/download.ts";
import { paced } from "../../../platform/http/pace.ts";
import { joinUrl } from "../../../platform/http/third-party.ts";
import { authorization, type TrelloApi, type TrelloCredentials } from "./call.ts";

const timeoutMs = 15_000;

/** A file of a card at Trello. */
export type TrelloUpload = { cardId: string; attachmentId: string; fileName: string };
type Response = Dispatcher.ResponseData;

/** Downloads a file from Trello; throws 404, 429 or 502. */
export async function downloadUpload(
  { apiUrl, outgoing }: Pick<TrelloApi, "apiUrl"> & { outgoing: OutgoingOptions },
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
  // The credentials go to Trello's own address only.
  const { statusCode, headers, body } = await followRedirects(
    url,
    await orUnreachable(first()),
    (address) => orUnreachable(download(address, outgoing, signal)),
  );
  if (statusCode === 200) return { headers, body: bytesOf(body) };
  await body.dump();
  throw failureFor(statusCode, headers["retry-after"]);
}

/** The bytes of a response; a connection that breaks is 502. */
async function* bytesOf(body: Response["body"]): AsyncGenerator<Uint8Array> {
  try {
    yield* paced(body, tooSlow);
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
