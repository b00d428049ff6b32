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
