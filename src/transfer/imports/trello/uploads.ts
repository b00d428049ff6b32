import { request } from "undici";
import { peek, typeOf } from "../../../domain/attachments/type.ts";
import { fileBytes } from "../../../domain/attachments/quota.ts";
import { badGateway, Failure, tooManyRequests } from "../../../platform/errors.ts";
import { authorization, type TrelloCredentials } from "../../integrations/trello/ask.ts";
import { under } from "../../../platform/http/request.ts";
import { knownThings } from "../bulk/imported.ts";
import { isPassing, Lost, SourceBusy } from "../failure.ts";
import { dropFiles, expectFiles } from "../files.ts";
import type { Fetched, SourceAttachment, SourceCard } from "../model.ts";
import { patiently } from "../retry-policy.ts";
import type { ImportRun } from "../context.ts";

const timeoutMs = 15_000;

/** Fetches the files that Trello keeps of cards into our storage. One that does not come stays a link, and the report says so. */
export async function fetchUploads(
  run: ImportRun,
  credentials: TrelloCredentials,
  cards: SourceCard[],
): Promise<void> {
  const uploads = cards.flatMap(({ attachments }) => attachments.filter(({ upload }) => upload));
  const asked = uploads.map(({ sourceId }) => ({ kind: "attachment", sourceId }) as const);
  if (uploads.length === 0) return;
  const known = await knownThings(run.deps.db.read, run.row, asked);
  const fresh = uploads.filter(
    ({ sourceId }) => known({ kind: "attachment", sourceId }) === undefined,
  );
  const keys = await run.step((tx) => expectFiles(tx, run.row, fresh.length));
  for (const [place, attachment] of fresh.entries()) {
    const key = keys[place] ?? "";
    try {
      attachment.fetched = await patiently(run, () => fetchOne(run, credentials, attachment, key));
    } catch (error) {
      await dropFiles(run.deps, run.row.id, [key]);
      const isLimit = error instanceof SourceBusy && error.because === "limit";
      if (error instanceof Lost || isPassing(error) || isLimit) throw error;
      await run.alive();
    }
  }
}

async function fetchOne(
  { deps, signal }: ImportRun,
  credentials: TrelloCredentials,
  { sourceId, upload }: SourceAttachment,
  storageKey: string,
): Promise<Fetched> {
  const parts = ["1", "cards", upload?.card, "attachments", sourceId, "download", upload?.fileName];
  const path = parts.map((part) => encodeURIComponent(part ?? "")).join("/");
  // Only ever to where Trello is: the credentials go along.
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
    if (statusCode === 429)
      throw tooManyRequests(
        "Trello's rate limit is used up.",
        Number(headers["retry-after"]) || 10,
      );
    throw statusCode >= 500
      ? badGateway(`Trello answered with status ${statusCode}.`)
      : new Failure("NOT_FOUND");
  }
  const { bytes, head } = peek(body);
  const stored = await deps.files.put(storageKey, bytes, fileBytes);
  const contentType = await typeOf(head(), String(headers["content-type"] ?? ""));
  return { ...stored, storageKey, contentType };
}
