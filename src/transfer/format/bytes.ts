const size = 64 * 1024;

/** Encodes text as UTF-8, in chunks of useful size. */
export async function* encodeTexts(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let waiting: string[] = [];
  let length = 0;
  for await (const text of texts) {
    waiting.push(text);
    length += text.length;
    if (length < size) continue;
    yield Buffer.from(waiting.join(""));
    [waiting, length] = [[], 0];
  }
  if (length > 0) yield Buffer.from(waiting.join(""));
}

/** The byte chunks of an untyped stream. */
export async function* chunksOf(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk;
}
