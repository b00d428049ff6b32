import type { Dispatcher } from "undici";
import { tooManyRequests } from "../../../platform/errors.ts";
import { joinUrl } from "../../../platform/http/third-party.ts";
import { authorization, type TrelloApi, type TrelloCredentials } from "./call.ts";

const timeoutMs = 15_000;

/** A file of a card at Trello. */
export type TrelloUpload = { cardId: string; attachmentId: string; fileName: string };

/** The address of a file at Trello. */
export function urlOf(
  { apiUrl }: Pick<TrelloApi, "apiUrl">,
  { cardId, attachmentId, fileName }: TrelloUpload,
): string {
  const parts = ["1", "cards", cardId, "attachments", attachmentId, "download", fileName];
  return joinUrl(apiUrl, parts.map((part) => `/${encodeURIComponent(part)}`).join(""));
}

/** Asks Trello for a file, with credentials; throws 429 beyond its rate limit. */
export async function requestFile(
  url: string,
  credentials: TrelloCredentials,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const { request } = await import("undici");
  const response = await request(url, {
    headers: {
      authorization: authorization(credentials),
      "user-agent": "workspace-board-service",
    },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    signal,
  });
  if (response.statusCode !== 429) return response;
  await response.body.dump();
  const seconds = Number(response.headers["retry-after"]) || 10;
  throw tooManyRequests("provider_rate_limited", "Trello's rate limit is used up.", seconds);
}
