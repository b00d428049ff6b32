import { storeFile } from "../../domain/attachments/store.ts";
import { badGateway, Failure, notFound } from "../../platform/errors.ts";
import { checkDestination, type OutgoingOptions } from "../../platform/http/address-guard.ts";
import { download, followRedirects, inFileTime, tooSlow } from "../../platform/http/download.ts";
import { sendTo } from "../../platform/http/outgoing.ts";
import { paced } from "../../platform/http/pace.ts";
import { joinUrl } from "../../platform/http/third-party.ts";
import type { Host } from "../integrations/hosts.ts";
import type { ImportContext } from "./job/context.ts";
import { withRetries } from "./job/retry-policy.ts";
import type { Fetch, SourceUpload } from "./write/files.ts";

const timeoutMs = 15_000;

/** A file at its host: a path with the credentials, or an address elsewhere without them. */
type FileAt = { path: string; headers: Record<string, string> } | { url: string };

/** Fetches files from a host. One that cannot be fetched stays a link. */
export const hostFiles =
  (
    context: ImportContext,
    host: Host,
    fileAt: (upload: SourceUpload) => FileAt | Promise<FileAt>,
  ): Fetch =>
  async (upload, storageKey) => {
    const { deps, signal } = context;
    const tryDownload = async (until: AbortSignal) => {
      const { headers, body } = await open(deps.outgoing, until, host, await fileAt(upload));
      const contentType = String(headers["content-type"] ?? "");
      return storeFile(deps.files, storageKey, bytesOf(host, body), contentType);
    };
    const storedFile = await withRetries(context, () => inFileTime(signal, tryDownload));
    await context.countFile(storedFile.size);
    return { ...storedFile, storageKey };
  };

const unreachable = ({ service }: Host) =>
  badGateway("provider_unreachable", `${service} does not respond.`);

async function open(outgoing: OutgoingOptions, signal: AbortSignal, host: Host, at: FileAt) {
  const reach = <Answer>(answer: Promise<Answer>) =>
    answer.catch((error: unknown) => {
      throw signal.aborted || error instanceof Failure ? error : unreachable(host);
    });
  const next = (address: string) => reach(download(address, outgoing, signal));
  const start = "url" in at ? at.url : joinUrl(host.url, at.path);
  const first = "url" in at ? next(start) : reach(sendFirst());
  const response = await followRedirects(start, await first, next);
  const { statusCode: status, body } = response;
  if (status === 200) return response;
  await body.dump();
  throw status >= 500 || status === 429
    ? badGateway("provider_failed", `${host.service} answered with status ${status}.`)
    : notFound("source");

  async function sendFirst() {
    const destination = await checkDestination(start, outgoing.policy, outgoing.resolve, signal);
    if ("refusal" in destination) throw notFound("source");
    const headers = { ...host.headers, ...("headers" in at ? at.headers : {}) };
    return sendTo(destination, { headers, version: outgoing.version, signal, timeoutMs });
  }
}

/** The bytes of a response; a connection that breaks is 502. */
async function* bytesOf(host: Host, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* paced(body, tooSlow);
  } catch (error) {
    throw error instanceof Failure ? error : unreachable(host);
  }
}
