import { request, type Dispatcher } from "undici";
import { storeFile } from "../../../domain/attachments/store.ts";
import { badGateway, Failure, notFound, tooManyRequests } from "../../../platform/errors.ts";
import { download } from "../../../platform/http/download.ts";
import { under } from "../../../platform/http/request.ts";
import { authorization, type TrelloCredentials } from "../../integrations/trello/ask.ts";
import type { ImportContext } from "../job/context.ts";
import { withRetries } from "../job/retry-policy.ts";
import { storeFiles } from "../write/files.ts";
import type { SourceAttachment, SourceCard, SourceFile } from "../write/model.ts";
import type { Writer } from "../write/step.ts";

const timeoutMs = 15_000;
const maxRedirects = 5;
const redirectCodes = new Set([301, 302, 303, 307, 308]);

/** Fetches the files of cards from Trello. A file that cannot be fetched stays a link. */
export const fetchUploads = (
  writer: Writer,
  credentials: TrelloCredentials,
  cards: SourceCard[],
): Promise<void> =>
  storeFiles(
    writer,
    cards,
    ({ upload }) => upload !== undefined,
    (attachment, storageKey) =>
      withRetries(writer.context, () =>
        fetchUpload(writer.context, credentials, attachment, storageKey),
      ),
  );

async function fetchUpload(
  { deps, signal }: ImportContext,
  credentials: TrelloCredentials,
  { sourceId, upload }: SourceAttachment,
  storageKey: string,
): Promise<SourceFile> {
  const { cardId = "", fileName = "" } = upload ?? {};
  const parts = ["1", "cards", cardId, "attachments", sourceId, "download", fileName];
  const path = parts.map((part) => encodeURIComponent(part)).join("/");
  const url = under(deps.config.TRELLO_API_URL, `/${path}`);
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
    download(address, deps.outgoing, signal),
  );
  if (statusCode !== 200) {
    await body.dump();
    throw failureFor(statusCode, headers["retry-after"]);
  }
  const declared = String(headers["content-type"] ?? "");
  return { ...(await storeFile(deps.files, storageKey, body, declared)), storageKey };
}

type Response = Dispatcher.ResponseData;

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

const orUnreachable = (response: Promise<Response>) =>
  response.catch((error: unknown) => {
    throw error instanceof Failure
      ? error
      : badGateway("provider_unreachable", "Trello does not respond.");
  });

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
