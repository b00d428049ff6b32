import {
  direct,
  isPermanent,
  StreamBlocked,
  type Connect,
  type ConnectionState,
  type Step,
} from "./event-sources.ts";
import type { BoardEvent, EventType, UserStreamItem } from "./router.ts";
import { SharedLog } from "./shared-stream.ts";
import { delay, delayOf, type Fetch } from "./transport.ts";

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
  onConnection?: (state: ConnectionState) => void;
};

/** An event of a log: deliveries have no order. */
type LoggedEvent = BoardEvent & {
  /** The position in the log: a later event has a greater one, compared as text. */
  order: string;
};

/** An event, and the cursor after it. */
export type FollowedEvent = LoggedEvent & {
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

/** How long the feed is polled before a stream is tried again. */
const pollingMs = 5 * 60_000;

/** How a client reads events. */
export type EventAccess = {
  fetch: Fetch;
  /** The name under which tabs share a stream; undefined for a stream of this tab alone. */
  sharedName?: () => Promise<string | undefined>;
};

/** Follows the events of a workspace: live, resumed after interruptions, without gaps. */
export async function* followEvents(
  { fetch, sharedName }: EventAccess,
  address: string,
  { from, types, boardPublicId, ...about }: EventOptions,
): AsyncGenerator<FollowedEvent> {
  const query = new URLSearchParams();
  if (types !== undefined) query.set("types", types.join(","));
  if (boardPublicId !== undefined) query.set("boardPublicId", boardPublicId);
  const connect = { fetch, address, query, pollUntil: 0, canPoll: true, ...observed(about) };
  yield* followShared<LoggedEvent>(connect, from, sharedName);
}

/** Follows what happens to the user, and the events of workspaces, over one connection. */
export async function* followUserEvents(
  { fetch, sharedName }: EventAccess,
  address: string,
  { from, workspaces, ...about }: UserEventOptions,
): AsyncGenerator<FollowedUserEvent> {
  const query = new URLSearchParams();
  if (workspaces !== undefined) query.set("workspaces", workspaces.join(","));
  const connect = { fetch, address, query, pollUntil: 0, canPoll: false, ...observed(about) };
  // What a tab has missed is not read for it: one that begins at a cursor has its own stream.
  yield* followShared<FollowedUserEvent>(
    connect,
    from,
    from === undefined ? sharedName : undefined,
  );
}

/** Follows a log, over the connection that the tabs of the user share, if they do. */
async function* followShared<Item extends { type: string }>(
  connect: Connect,
  from: string | undefined,
  sharedName: EventAccess["sharedName"],
): AsyncGenerator<Item & { cursor: string }> {
  const { address, query } = connect;
  const name = await sharedName?.();
  const log =
    name === undefined
      ? undefined
      : new SharedLog<Item>(connect, `${name} ${address}?${query.toString()}`);
  try {
    yield* follow(connect, from, (cursor) => log?.follow(cursor) ?? direct<Item>(connect, cursor));
  } finally {
    log?.close();
  }
}

const observed = ({ signal, onConnection, onResync }: UserEventOptions) => ({
  signal: signal ?? new AbortController().signal,
  onConnection: (state: ConnectionState) => onConnection?.(state),
  onResync: () => onResync?.(),
});

async function* follow<Item extends { type: string }>(
  connect: Connect,
  from: string | undefined,
  read: (cursor: string | undefined) => AsyncGenerator<Step<Item>>,
): AsyncGenerator<Item & { cursor: string }> {
  const { signal, canPoll } = connect;
  for (let cursor = from, failures = 0, wasConnected = false; !signal.aborted; failures++) {
    try {
      for await (const event of read(cursor)) {
        // Some implementations of fetch go on after the signal.
        if (signal.aborted) return;
        failures = 0;
        wasConnected = true;
        cursor = event.cursor;
        if ("type" in event) yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof StreamBlocked && canPoll) connect.pollUntil = Date.now() + pollingMs;
      else if (isPermanent(error, wasConnected)) throw error;
    }
    connect.onConnection("lost");
    await delay(delayOf(failures), signal).catch(() => undefined);
  }
}
