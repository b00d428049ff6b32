import { fileTypeFromBuffer } from "file-type";

const unknown = "application/octet-stream";
/** Types that nothing runs which is given them: never HTML, SVG, XML or script. */
const harmless = new Set(
  `image/png image/jpeg image/gif image/webp image/avif image/heic image/heif image/bmp image/tiff image/vnd.adobe.photoshop
  audio/mpeg audio/aac audio/ogg audio/wav audio/flac audio/mp4 audio/x-m4a audio/webm
  video/mp4 video/webm video/ogg video/quicktime video/mpeg video/matroska video/x-msvideo
  application/pdf application/rtf application/epub+zip application/x-cfb
  application/zip application/gzip application/x-7z-compressed application/x-bzip2 application/x-tar application/zstd application/x-xz
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

/** How many bytes tell a file's type. */
export const headBytes = 4_100;

/** The type of a file by its first bytes; what it is said to be counts only where it is plain text. */
export async function typeOf(head: Uint8Array, declared: string | undefined): Promise<string> {
  // Whatever a file is made to look like, it is stored all the same.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found !== undefined) return harmless.has(found.mime) ? found.mime : unknown;
  const said = /^[^;\s]*/.exec(declared?.trim().toLowerCase() ?? "")?.[0] ?? "";
  return texts.has(said) && isText(head) ? said : unknown;
}

function isText(head: Uint8Array): boolean {
  try {
    // The end of the head may be the middle of a character.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return !/(?![\t\n\f\r])\p{Cc}/u.test(text);
  } catch {
    return false;
  }
}

/** Lets bytes through, and keeps the first of them. */
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
