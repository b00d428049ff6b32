import type { App, Reply } from "../support/app.ts";

/** A raw request. Nothing is added, not even a content type. */
export type Raw = {
  method: string;
  path: string;
  token?: string | undefined;
  type?: string;
  body?: string | Uint8Array | ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
};

/** Sends a request unchanged. */
export async function sendRaw(
  app: App,
  { method, path, token, type, body, headers = {} }: Raw,
): Promise<Reply> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const request = new Request(`http://service${path}`, {
    method,
    headers: {
      ...headers,
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(type === undefined ? {} : { "Content-Type": type }),
      ...(bytes instanceof Uint8Array ? { "Content-Length": String(bytes.byteLength) } : {}),
    },
    ...(bytes === undefined ? {} : { body: bytes }),
    // A stream has no length and is sent in chunks.
    ...(bytes instanceof ReadableStream ? { duplex: "half" } : {}),
  });
  const response = await app.fetch(request);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

/** A stream of `count` chunks of 64 KiB. `pulled` counts the chunks that were read. */
export function chunks(count: number): {
  stream: ReadableStream<Uint8Array>;
  pulled: () => number;
} {
  let pulled = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (pulled++ < count) controller.enqueue(new Uint8Array(64 * 1024).fill(32));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, pulled: () => pulled };
}
