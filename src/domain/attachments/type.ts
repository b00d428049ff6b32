const unknown = "application/octet-stream";
/** Types that no program executes: never HTML, SVG, XML or scripts. */
const harmless = new Set(
  `image/png image/jpeg image/gif image/webp image/avif image/heic image/heif image/bmp image/tiff
  image/vnd.adobe.photoshop
  audio/mpeg audio/aac audio/ogg audio/wav audio/flac audio/mp4 audio/x-m4a audio/webm
  video/mp4 video/webm video/ogg video/quicktime video/mpeg video/matroska video/x-msvideo
  application/pdf application/rtf application/epub+zip application/x-cfb
  application/zip application/gzip application/x-7z-compressed application/x-bzip2
  application/x-tar application/zstd application/x-xz
  application/vnd.openxmlformats-officedocument.wordprocessingml.document
  application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
  application/vnd.openxmlformats-officedocument.presentationml.presentation
  application/vnd.oasis.opendocument.text application/vnd.oasis.opendocument.spreadsheet
  application/vnd.oasis.opendocument.presentation`.split(/\s+/),
);
const texts = new Set([
  "text/plain",
  "text/csv",
  "text/markdown",
  "text/calendar",
  "application/json",
]);

/** The content types that files are served with. */
export const servedTypes: readonly string[] = [unknown, ...harmless, ...texts];

/** The number of first bytes that determine a file's type. */
export const headBytes = 4_100;

/** Detects a file's type from its first bytes; the declared type counts for plain text only. */
export async function typeOf(head: Uint8Array, declared: string | undefined): Promise<string> {
  const { fileTypeFromBuffer } = await import("file-type");
  // A file that breaks the detection is stored as `unknown`.
  const detected = await fileTypeFromBuffer(head).catch(() => undefined);
  if (detected !== undefined) return harmless.has(detected.mime) ? detected.mime : unknown;
  const type = /^[^;\s]*/.exec(declared?.trim().toLowerCase() ?? "")?.[0] ?? "";
  return texts.has(type) && isText(head) ? type : unknown;
}

function isText(head: Uint8Array): boolean {
  try {
    // The last character of the head may be incomplete.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return !/(?![\t\n\f\r])\p{Cc}/u.test(text);
  } catch {
    return false;
  }
}

/** Passes bytes through, and collects the first of them. */
export function peek(source: AsyncIterable<Uint8Array>) {
  let head = new Uint8Array();
  async function* through() {
    for await (const chunk of source) {
      if (head.byteLength < headBytes) {
        head = Buffer.concat([head, chunk.subarray(0, headBytes - head.byteLength)]);
      }
      yield chunk;
    }
  }
  return { bytes: through(), head: (): Uint8Array => head };
}
