const size = 64 * 1024;

/** Text in UTF-8, in chunks that are worth sending. */
export async function* bytesOf(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let waiting: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < size) continue;
    yield Buffer.from(waiting.join(""));
    [waiting, length] = [[], 0];
  }
  if (length > 0) yield Buffer.from(waiting.join(""));
}

/** The bytes of a stream whose type says nothing of what comes out of it. */
export async function* chunksOf(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk;
}
