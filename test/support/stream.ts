import type { App } from "./app.ts";

/** One server-sent event, with its data read. */
export type Sent = { id: string; event: string; data: any };

/** A stream, as read by a client. */
export type Stream = {
  status: number;
  headers: Headers;
  /** The parsed body of a response that is not a stream. */
  failure: any;
  /** The next event; undefined when the stream has ended. */
  next(): Promise<Sent | undefined>;
  /** The next `count` events of the workspace, without those about the stream itself. */
  take(count: number): Promise<Sent[]>;
  /** All events to the end. */
  rest(): Promise<Sent[]>;
  close(): Promise<void>;
};

/** Opens a stream through the whole app, with the caller's query and headers. */
export async function openStream(
  app: App,
  path: string,
  { token, headers = {} }: { token?: string | undefined; headers?: Record<string, string> } = {},
): Promise<Stream> {
  const response = await app.fetch(
    new Request(`http://service/api/v1${path}`, {
      headers: { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
    }),
  );
  return readStream(response);
}

/** Reads a response as a stream. */
export async function readStream(response: Response): Promise<Stream> {
  const { status, headers, body } = response;
  if (status !== 200 || body === null) {
    const ended = async () => undefined;
    const failure = status === 200 ? undefined : await response.json();
    return {
      status,
      headers,
      failure,
      next: ended,
      take: async () => [],
      rest: async () => [],
      close: ended,
    };
  }
  const reader = body.getReader();
  const next = eventsOf(reader);
  return {
    status,
    headers,
    failure: undefined,
    next,
    async take(count) {
      const taken: Sent[] = [];
      while (taken.length < count) {
        const one = await next();
        if (one === undefined) throw new Error(`The stream ended after ${taken.length} events.`);
        if (!isSignal(one)) taken.push(one);
      }
      return taken;
    },
    async rest() {
      const taken: Sent[] = [];
      for (let one = await next(); one !== undefined; one = await next()) taken.push(one);
      return taken;
    },
    async close() {
      await reader.cancel();
    },
  };
}

/** Whether an event is about the stream itself. */
export const isSignal = ({ event }: Sent) => ["ready", "resync", "heartbeat"].includes(event);

function eventsOf(reader: ReadableStreamDefaultReader<Uint8Array>) {
  const decoder = new TextDecoder();
  const read: Sent[] = [];
  let text = "";
  return async (): Promise<Sent | undefined> => {
    for (;;) {
      const one = read.shift();
      if (one !== undefined) return one;
      const { done, value: chunk } = await reader.read();
      if (done) return undefined;
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields = new Map(block.split("\n").map((line) => [field(line), value(line)]));
        const data = fields.get("data");
        if (data === undefined) continue;
        const [id = "", event = "message"] = [fields.get("id"), fields.get("event")];
        read.push({ id, event, data: JSON.parse(data) });
      }
    }
  };
}

const field = (line: string) => line.slice(0, line.indexOf(":"));
const value = (line: string) => line.slice(line.indexOf(":") + 2);
