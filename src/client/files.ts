import { errorOf } from "./errors.ts";
import type { Attachment } from "./router.ts";
import type { Fetch } from "./transport.ts";

/** The options of an upload. */
export type UploadOptions = {
  /** By default the name of the `File`. */
  filename?: string;
  /** By default the type of the file. */
  contentType?: string;
  /** Called with the number of bytes sent and the size. */
  onProgress?: (sent: number, size: number) => void;
  signal?: AbortSignal;
};

/** Uploads a file to a card. It is repeated safely after an interruption. */
export async function uploadFile(
  fetch: Fetch,
  address: string,
  file: Blob & { name?: string },
  { filename = file.name ?? "file", contentType = file.type, onProgress, signal }: UploadOptions,
): Promise<Attachment> {
  const query = new URLSearchParams({ filename }).toString();
  const response = await fetch(`${address}?${query}`, {
    method: "POST",
    headers: {
      "Content-Type": contentType === "" ? "application/octet-stream" : contentType,
      "Idempotency-Key": crypto.randomUUID(),
    },
    body: file,
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as Attachment;
}
