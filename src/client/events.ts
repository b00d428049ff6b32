import { BoardServiceError, errorOf } from "./errors.ts";
import type { BoardEvent, EventType, UserStreamItem } from "./router.ts";
import { messages } from "./server-sent-events.ts";
import { anySignal, delay, delayOf, type Fetch } from "./transport.ts";

/** What to follow, and from where. */
export type EventOptions = {
  /** The cursor after which to start; by default with new events. */
  from?: string;
  /** Event types, such as `card.moved`. */
  types?: readonly EventType[];
  /** Only events of this board. */
  boardPublicId?: string;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** Called when the service asks to read the resources again, because events are many. */
  onResync?: () => void;
  /** Called when the connection is established or lost. */
  onConnection?: (state: "live" | "polling" | "lost") => void;
};

/** An event, and the cursor after it. */
export type FollowedEvent = BoardEvent & {
  /** The cursor to continue from: of a polled page the one before it, until its last event. */
  cursor: string;
  /** Of a polled page: the cursor after the page, which has this event. */
  pageCursor?: string;
};

/** What to follow of a user, and from where. */
export type UserEventOptions = Pick<
  EventOptions,
  "from" | "signal" | "onConnection" | "onResync"
> & {
  /** The public ids of workspaces whose events are followed too. */
  workspaces?: readonly string[];
};

/** An event of the user or of a workspace, and the cursor after it. */
export type FollowedUserEvent = Exclude<UserStreamItem, { type: "ready" | "resync" }> & {
  /** The cursor to continue from. */
  cursor: string;
};

/** The service sends a heartbeat at least every 15 s. */
const silenceMs = 40_000;
/** How long a stream may take to its first message. Some proxies hold streams back. */
const firstMessageMs = 10_000;
/** How long the feed is polled before a stream is tried again. */
const pollingMs = 5 * 60_000;

/** Follows the events of a workspace: live, resumed after interruptions, without gaps. */
export async function* followEvents(
  fetch: Fetch,
  address: string,
  { from, types, boardPublicId, signal, onConnection, onResync }: EventOptions,
): AsyncGenerator<FollowedEvent> {
  const query = new URLSearchParams();
  if (types !== undefined) query.set("types", types.join(","));
  if (boardPublicId !== undefined) query.set("boardPublicId", boardPublicId);
  const about = { signal, onConnection, onResync };
  const connect = { fetch, address, query, ...about, pollUntil: 0, canPoll: true };
  yield* follow<BoardEvent>(connect, from);
}

/** Follows what happens to the user, and the events of workspaces, over one connection. */
export async function* followUserEvents(
  fetch: Fetch,
  address: string,
  { from, workspaces, signal, onConnection, onResync }: UserEventOptions,
): AsyncGenerator<FollowedUserEvent> {
  const query = new URLSearchParams();
  if (workspaces !== undefined) query.set("workspaces", workspaces.join(","));
  const about = { signal, onConnection, onResync };
  const connect = { fetch, address, query, ...about, pollUntil: 0, canPoll: false };
  yield* follow<FollowedUserEvent>(connect, from);
}

async function* follow<Item extends { type: string }>(
  connect: Connect,
  from: string | undefined,
): AsyncGenerator<Item & { cursor: string }> {
  const { signal, onConnection, canPoll } = connect;
  for (let cursor = from, failures = 0, wasConnected = false; ; failures++) {
    try {
      for await (const event of isStreaming(connect)
        ? stream<Item>(connect, cursor)
        : poll<Item>(connect, cursor)) {
        failures = 0;
        wasConnected = true;
        cursor = event.cursor;
        if ("type" in event) yield event;
      }
    } catch (error) {
      if (signal?.aborted === true) return;
      if (error instanceof StreamBlocked && canPoll) connect.pollUntil = Date.now() + pollingMs;
      else if (isPermanent(error, wasConnected)) throw error;
    }
    onConnection?.("lost");
    await delay(delayOf(failures), signal).catch(() => undefined);
    if (signal?.aborted === true) return;
  }
}

/** The messages about the stream itself. */
const signals: ReadonlySet<string> = new Set(["ready", "resync", "heartbeat"]);

const isStreaming = ({ pollUntil }: Connect) => Date.now() >= pollUntil;

/** A stream whose messages do not arrive. */
class StreamBlocked extends Error {}

/** Whether another attempt cannot succeed. While a service restarts, its proxy may answer 404. */
function isPermanent(error: unknown, wasConnected: boolean): boolean {
  if (!(error instanceof BoardServiceError)) return false;
  const { status, code } = error;
  const mayPass = [408, 425, 429].includes(status) || (wasConnected && code === "HTTP_ERROR");
  return status >= 400 && status < 500 && !mayPass;
}

type Connect = {
  fetch: Fetch;
  address: string;
  query: URLSearchParams;
  signal: AbortSignal | undefined;
  onConnection: EventOptions["onConnection"];
  onResync: EventOptions["onResync"];
  /** Until when the feed is polled instead of the stream. */
  pollUntil: number;
  /** Whether a feed has the events too. */
  canPoll: boolean;
};

/** An event, or only a new cursor. */
type Step<Item> = (Item & { cursor: string }) | { cursor: string };

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
      signal: signal === undefined ? silence.signal : anySignal([signal, silence.signal]),
    });
    if (!response.ok) throw await errorOf(response);
    if (response.body === null) throw new StreamBlocked();
    for await (const { type, id, data } of messages(response.body)) {
      clearTimeout(timer);
      timer = watch(silenceMs);
      if (type === "ready") onConnection?.("live");
      if (type === "resync") onResync?.();
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
  const { fetch, address, query, signal, onConnection } = connect;
  let after = cursor ?? "now";
  while (!isStreaming(connect)) {
    const url = withQuery(address, query, { cursor: after, wait: after === "now" ? "0" : "20" });
    const response = await fetch(url, signal === undefined ? {} : { signal });
    if (!response.ok) throw await errorOf(response);
    onConnection?.("polling");
    const page = (await response.json()) as { items: Item[]; nextCursor: string };
    after = page.nextCursor;
    // Only the page has a cursor, so its last event carries it: a restart repeats the page.
    for (const [index, event] of page.items.entries()) {
      const isLast = index === page.items.length - 1;
      yield { ...event, cursor: isLast ? after : (cursor ?? after), pageCursor: after };
    }
    cursor = after;
    yield { cursor: after };
  }
}

function withQuery(
  address: string,
  query: URLSearchParams,
  more: Record<string, string | undefined>,
) {
  const all = new URLSearchParams(query);
  for (const [name, value] of Object.entries(more)) if (value !== undefined) all.set(name, value);
  return `${address}?${all.toString()}`;
}
