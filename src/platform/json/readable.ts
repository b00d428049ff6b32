/** Which repairs made a text readable. */
export type Repairs = { hasPreamble: boolean; replaced: number };

export const noRepairs = (): Repairs => ({ hasPreamble: false, replaced: 0 });

/** The most bytes before the JSON itself: lines of comments, as browsers' JSON viewers add. */
const maxPreamble = 4_096;
const replacement = "\u{fffd}";

/**
 * Reads JSON text that other programs have saved: without a byte order mark, without the lines of
 * `//` comments before it, as UTF-8, and with U+FFFD for each sequence that is not valid.
 */
export async function* readable(
  bytes: AsyncIterable<Uint8Array>,
  repairs: Repairs,
): AsyncGenerator<Uint8Array> {
  let decoder: ReturnType<typeof decoderFor> | undefined;
  let start: string | null = "";
  for await (const chunk of bytes) {
    decoder ??= decoderFor(chunk);
    let text = decoder.decode(chunk, { stream: true });
    repairs.replaced += text.split(replacement).length - 1;
    if (start !== null) {
      start += text;
      const json = withoutPreamble(start);
      // The end of a line of comment may be in the next chunk.
      if (json.length < 2 && start.length < maxPreamble) continue;
      repairs.hasPreamble = json !== "" && json.length < start.trimStart().length;
      text = repairs.hasPreamble ? json : start;
      start = null;
    }
    yield Buffer.from(text);
  }
  const end = (start ?? "") + (decoder?.decode() ?? "");
  if (end !== "") yield Buffer.from(end);
}

/** The start of a text, decoded. */
export const startOf = (head: Uint8Array): string => decoderFor(head).decode(head);

/** UTF-8, or UTF-16 after its byte order mark. */
function decoderFor([first, second]: Uint8Array) {
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le");
  return new TextDecoder(first === 0xfe && second === 0xff ? "utf-16be" : "utf-8");
}

/** A text without the lines of comments and the white space before it; "" without a whole line. */
export const withoutPreamble = (text: string): string =>
  text.replace(/^(?:[\s\u{feff}]|\/\/[^\r\n]*(?:[\r\n]|$))*/u, "");
