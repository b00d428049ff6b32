// Tasks for the threads of the test beside this file.

type Bytes = AsyncIterable<Uint8Array>;

/** The module of the tasks. */
export const tasksModule = import.meta.url;

/** Yields each chunk as the value that its JSON says. */
export async function* echo(bytes: Bytes): AsyncGenerator {
  for await (const chunk of bytes) yield JSON.parse(Buffer.from(chunk).toString());
}

/** Takes memory without end. */
export async function* fill(): AsyncGenerator {
  const taken: number[][] = [];
  while (taken.length >= 0) taken.push(Array.from({ length: 1_000_000 }, (_, nth) => nth + 0.5));
  yield taken;
}

/** Takes time without end. */
export async function* spin(): AsyncGenerator {
  while (performance.now() >= 0);
  yield null;
}
