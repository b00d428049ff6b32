import { BoardServiceError, errorOf } from "./errors.ts";
import { anySignal, type Fetch } from "./transport.ts";
import { splitStream } from "./split-stream.ts";

/** A message of an event stream; `type` is "ping" for a comment. */
export type Message = { type: string; id: string | undefined; data: string };

/** Parses a stream of server-sent events. */
async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  for await (const block of splitStream(body, "\n\n")) yield messageOf(block);
}

/** The message of one block of lines. */
function messageOf(block: string): Message {
  const message: Message = { type: "message", id: undefined, data: "" };
  for (const line of block.split("\n")) {
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "") message.type = "ping";
    else if (field === "event") message.type = value;
    else if (field === "id") message.id = value;
    else if (field === "data") message.data += value;
  }
  return message;
}

/** The state of a connection: live, reading the feed page by page, or lost. */
export type ConnectionState = "live" | "polling" | "lost";

/** The service sends a heartbeat at least every 15 s. */
export const silenceMs = 40_000;
/** How long a stream may take to its first message. Some proxies hold streams back. */
const firstMessageMs = 10_000;

/** What to read of a log, and what to call. */
export type Connect = {
  fetch: Fetch;
  address: string;
  query: URLSearchParams;
  signal: AbortSignal;
  onConnection: (state: ConnectionState) => void;
  onResync: () => void;
  /** Until when the feed is polled instead of the stream. */
  pollUntil: number;
  /** Whether a feed has the events too. */
  canPoll: boolean;
};

/** An event, or only a new cursor. An event of a page has the cursor after the page as well. */
export type Step<Item> = (Item & { cursor: string; pageCursor?: string }) | { cursor: string };

/** A page of a feed. */
type Page<Item> = { items: Item[]; nextCursor: string };

/** The messages about the stream itself. */
const signals: ReadonlySet<string> = new Set(["ready", "resync", "heartbeat"]);

/** A stream whose messages do not arrive. */
export class StreamBlocked extends Error {}

/** Whether another attempt cannot succeed. While a service restarts, its proxy may answer 404. */
export function isPermanent(error: unknown, wasConnected: boolean): boolean {
  if (!(error instanceof BoardServiceError)) return false;
  const { status, code } = error;
  const mayPass = [408, 425, 429].includes(status) || (wasConnected && code === "HTTP_ERROR");
  return status >= 400 && status < 500 && !mayPass;
}

const isStreaming = ({ pollUntil }: Connect) => Date.now() >= pollUntil;

/** Reads from the service: the stream, or its feed where streams are held back. */
export const direct = <Item>(connect: Connect, cursor: string | undefined) =>
  isStreaming(connect) ? stream<Item>(connect, cursor) : poll<Item>(connect, cursor);

async function* stream<Item>(
  { fetch, address, query, signal, onConnection, onResync }: Connect,
  cursor: string | undefined,
): AsyncGenerator<Step<Item>> {
  const silence = new AbortController();
  const watch = (ms: number) => setTimeout(() => silence.abort(), ms);
  let timer = watch(firstMessageMs);
  let isLive = false;
  try {
    const response = await fetch(withQuery(`${address}/stream`, query, { cursor }), {
      headers: { Accept: "text/event-stream" },
      signal: anySignal([signal, silence.signal]),
    });
    if (!response.ok) throw await errorOf(response);
    if (response.body === null) throw new StreamBlocked();
    for await (const { type, id, data } of messages(response.body)) {
      clearTimeout(timer);
      timer = watch(silenceMs);
      if (type === "ready") onConnection("live");
      if (type === "resync") onResync();
      if (type !== "message") isLive = true;
      if (id === undefined) continue;
      if (data === "" || signals.has(type)) yield { cursor: id };
      else yield { ...(JSON.parse(data) as Item), cursor: id };
    }
  } catch (error) {
    throw silence.signal.aborted && !isLive ? new StreamBlocked() : error;
  } finally {
    clearTimeout(timer);
  }
}

async function* poll<Item>(
  connect: Connect,
  cursor: string | undefined,
): AsyncGenerator<Step<Item>> {
  let after = cursor ?? "now";
  while (!isStreaming(connect)) {
    const page = await readPage<Item>(connect, after, after === "now" ? "0" : "20");
    connect.onConnection("polling");
    yield* stepsOf(page, cursor);
    cursor = after = page.nextCursor;
  }
}

/** A page of the feed after a cursor. It may wait for events, for some seconds. */
export async function readPage<Item>(
  { fetch, address, query, signal }: Connect,
  cursor: string,
  wait: string,
): Promise<Page<Item>> {
  const response = await fetch(withQuery(address, query, { cursor, wait }), { signal });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as Page<Item>;
}

/** The events of a page that was read after a cursor, and the cursor after it. */
export function* stepsOf<Item>(
  { items, nextCursor }: Page<Item>,
  cursor = nextCursor,
): Generator<Step<Item>> {
  // Only the page has a cursor, so its last event carries it: a restart repeats the page.
  for (const [index, event] of items.entries()) {
    const isLast = index === items.length - 1;
    yield { ...event, cursor: isLast ? nextCursor : cursor, pageCursor: nextCursor };
  }
  yield { cursor: nextCursor };
}

function withQuery(
  address: string,
  query: URLSearchParams,
  params: Record<string, string | undefined>,
) {
  const search = new URLSearchParams(query);
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) search.set(name, value);
  return `${address}?${search.toString()}`;
}
