import type { Dispatcher } from "undici";
import { storeFile } from "../../domain/attachments/store.ts";
import { badGateway, Failure, notFound } from "../../platform/errors.ts";
import { download, followRedirects, inFileTime, tooSlow } from "../../platform/http/download.ts";
import { paced } from "../../platform/http/pace.ts";
import type { ImportContext } from "./job/context.ts";
import { withRetries } from "./job/retry-policy.ts";
import type { Fetch, SourceUpload } from "./write/files.ts";

/** The address of a file, and how it is asked for first; redirects get no credentials. */
export type FileAt = {
  url: string;
  send?: (signal: AbortSignal) => Promise<Dispatcher.ResponseData>;
};

/** Fetches files of a service. One that cannot be fetched stays a link. */
export const filesOf =
  (
    context: ImportContext,
    service: string,
    fileAt: (upload: SourceUpload) => FileAt | Promise<FileAt>,
  ): Fetch =>
  async (upload, storageKey) => {
    const { deps, signal } = context;
    const failureOf = (error: unknown) =>
      error instanceof Failure
        ? error
        : badGateway("provider_unreachable", `${service} does not respond.`);
    async function* bytesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      try {
        yield* paced(body, tooSlow);
      } catch (error) {
        throw failureOf(error);
      }
    }
    const tryDownload = async (until: AbortSignal) => {
      const { url, send } = await fileAt(upload);
      const reach = (response: Promise<Dispatcher.ResponseData>) =>
        response.catch((error: unknown) => {
          throw until.aborted ? error : failureOf(error);
        });
      const next = (address: string) => reach(download(address, deps.outgoing, until));
      const first = send === undefined ? next(url) : reach(send(until));
      const { statusCode, headers, body } = await followRedirects(url, await first, next);
      if (statusCode === 200)
        return storeFile(
          deps.files,
          storageKey,
          bytesOf(body),
          String(headers["content-type"] ?? ""),
        );
      await body.dump();
      throw statusCode >= 500 || statusCode === 429
        ? badGateway("provider_failed", `${service} answered with status ${statusCode}.`)
        : notFound("source");
    };
    const storedFile = await withRetries(context, () => inFileTime(signal, tryDownload));
    await context.countFile(storedFile.size);
    return { ...storedFile, storageKey };
  };
