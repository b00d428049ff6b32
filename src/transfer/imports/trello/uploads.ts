import { storeFile } from "../../../domain/attachments/store.ts";
import type { TrelloCredentials } from "../../integrations/trello/ask.ts";
import { downloadUpload } from "../../integrations/trello/download.ts";
import { withRetries } from "../job/retry-policy.ts";
import { storeFiles } from "../write/files.ts";
import type { SourceCard } from "../write/model.ts";
import type { Writer } from "../write/step.ts";

/** Fetches the files of cards from Trello. A file that cannot be fetched stays a link. */
export function fetchUploads(
  writer: Writer,
  credentials: TrelloCredentials,
  cards: SourceCard[],
): Promise<void> {
  const { deps, signal } = writer.context;
  const api = { apiUrl: deps.config.TRELLO_API_URL, outgoing: deps.outgoing };
  return storeFiles(
    writer,
    cards,
    ({ upload }) => upload !== undefined,
    ({ sourceId: attachmentId, upload: { cardId = "", fileName = "" } = {} }, storageKey) =>
      withRetries(writer.context, async () => {
        const upload = { cardId, attachmentId, fileName };
        const { headers, body } = await downloadUpload(api, credentials, upload, signal);
        const declared = String(headers["content-type"] ?? "");
        return { ...(await storeFile(deps.files, storageKey, body, declared)), storageKey };
      }),
  );
}
