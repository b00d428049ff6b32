import { joinUrl } from "../../../platform/http/third-party.ts";

/** How long a Trello token lasts. */
export type TrelloExpiration = "1hour" | "1day" | "30days" | "never";

/** Where a user makes a read-only token for our key (`TRELLO_URL`, `TRELLO_API_KEY`). */
export type TrelloApp = { url: string; apiKey: string };

/**
 * The address at which a user allows reading. Trello sends them to `returnUrl` with `#token=…`
 * (an origin that the key's
 * Power-Up allows); without one it shows the token. The default is a day: an import needs no more.
 */
export function trelloAuthorizeUrl(
  app: TrelloApp,
  request: { name: string; returnUrl?: string; expiration?: TrelloExpiration },
): string {
  const query = new URLSearchParams({
    expiration: request.expiration ?? "1day",
    name: request.name,
    scope: "read",
    response_type: "token",
    key: app.apiKey,
  });
  if (request.returnUrl !== undefined) {
    query.set("return_url", request.returnUrl);
    query.set("callback_method", "fragment");
  }
  return joinUrl(app.url, `/1/authorize?${query.toString()}`);
}
