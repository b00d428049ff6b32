import { storeFile } from "../../../domain/attachments/store.ts";
import type { TrelloCredentials } from "../../integrations/trello/ask.ts";
import { downloadUpload } from "../../integrations/trello/download.ts";
import type { ImportContext } from "../job/context.ts";
import { withRetries } from "../job/retry-policy.ts";
import type { Fetch } from "../write/files.ts";

/** Fetches files from Trello. One that cannot be fetched stays a link. */
export const fetchFrom =
  (context: ImportContext, credentials: TrelloCredentials): Fetch =>
  (upload, storageKey) => {
    const { deps, signal } = context;
    const api = { apiUrl: deps.config.TRELLO_API_URL, outgoing: deps.outgoing };
    return withRetries(context, async () => {
      const { headers, body } = await downloadUpload(api, credentials, upload, signal);
      const declared = String(headers["content-type"] ?? "");
      return { ...(await storeFile(deps.files, storageKey, body, declared)), storageKey };
    });
  };
