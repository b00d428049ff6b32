import type { CallOptions } from "./calls.ts";
import { subjectOf, type Credential } from "./credential.ts";
import { errorOf } from "./errors.ts";
import { newKey } from "./public-id.ts";
import type { AttachmentDetail } from "./router.ts";
import type { Fetch } from "./transport.ts";

/** The options of an upload. */
export type UploadOptions = {
  /** By default the name of the `File`. */
  filename?: string;
  /** By default the type of the file. */
  contentType?: string;
  /** Called with the number of bytes sent and the size. */
  onProgress?: (sent: number, size: number) => void;
  /** Aborts the upload. */
  signal?: AbortSignal;
};

/** Uploads a file to a card. It is repeated safely after an interruption. */
export async function uploadFile(
  fetch: Fetch,
  address: string,
  file: Blob & { name?: string },
  { filename = file.name ?? "file", contentType = file.type, onProgress, signal }: UploadOptions,
): Promise<AttachmentDetail> {
  const query = new URLSearchParams({ filename }).toString();
  const response = await fetch(`${address}?${query}`, {
    method: "POST",
    headers: {
      "Content-Type": contentType === "" ? "application/octet-stream" : contentType,
      "Idempotency-Key": newKey(),
    },
    body: file,
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as AttachmentDetail;
}

/** How long a signed URL is used again. It is valid for five minutes. */
const reuseMs = 4 * 60_000;

/**
 * Signs URLs of files, once for each file and user while its URL is valid: browsers cache by URL.
 */
export function fileUrls(
  api: string,
  credential: Credential,
  sign: (attachmentPublicId: string, options: CallOptions) => Promise<{ url: string }>,
) {
  const signedUrls = new Map<string, { until: number; signed: Promise<string> }>();
  // At the address by which this client reaches the service, which BASE_URL may not be.
  const signed = async (id: string, options: CallOptions) => {
    const { url } = await sign(id, options);
    return api + url.slice(url.indexOf("/attachments/"));
  };
  return async (attachment: { publicId: string } | string, options: CallOptions = {}) => {
    const id = typeof attachment === "string" ? attachment : attachment.publicId;
    const key = `${await subjectOf(credential)} ${id}`;
    const earlier = signedUrls.get(key);
    if (earlier !== undefined && Date.now() < earlier.until) {
      const url = await earlier.signed.catch(() => undefined);
      if (url !== undefined) return url;
    }
    const now = Date.now();
    for (const [old, { until }] of signedUrls) if (until <= now) signedUrls.delete(old);
    const next = signed(id, options);
    signedUrls.set(key, { until: now + reuseMs, signed: next });
    return next;
  };
}

/** Downloads a file from its address. */
export async function downloadFile(
  fetch: Fetch,
  address: string,
  { signal }: { signal?: AbortSignal },
): Promise<Blob> {
  const response = await fetch(address, signal === undefined ? {} : { signal });
  if (!response.ok) throw await errorOf(response);
  return response.blob();
}
