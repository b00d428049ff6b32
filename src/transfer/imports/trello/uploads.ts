import { request } from "undici";
import { storeFile } from "../../../domain/attachments/store.ts";
import { badGateway, Failure, tooManyRequests } from "../../../platform/errors.ts";
import { under } from "../../../platform/http/request.ts";
import { authorization, type TrelloCredentials } from "../../integrations/trello/ask.ts";
import type { ImportContext } from "../job/context.ts";
import { withRetries } from "../job/retry-policy.ts";
import { storeFiles } from "../write/files.ts";
import type { SourceAttachment, SourceCard, SourceFile } from "../write/model.ts";
import type { Writer } from "../write/step.ts";

const timeoutMs = 15_000;

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
  // The credentials go to Trello's own address only.
  const path = parts.map((part) => encodeURIComponent(part)).join("/");
  const url = under(deps.config.TRELLO_API_URL, `/${path}`);
  const { statusCode, headers, body } = await request(url, {
    headers: { authorization: authorization(credentials), "user-agent": "workspace-board-service" },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    signal,
  }).catch(() => {
    throw badGateway("Trello could not be reached.");
  });
  if (statusCode !== 200) {
    await body.dump();
    throw failureFor(statusCode, headers["retry-after"]);
  }
  const declared = String(headers["content-type"] ?? "");
  return { ...(await storeFile(deps.files, storageKey, body, declared)), storageKey };
}

function failureFor(status: number, retryAfter: unknown): Failure {
  if (status === 429)
    return tooManyRequests("Trello's rate limit is used up.", Number(retryAfter) || 10);
  return status >= 500
    ? badGateway(`Trello answered with status ${status}.`)
    : new Failure("NOT_FOUND");
}
