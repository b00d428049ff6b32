import type { tracked } from "@trpc/server";
import type { StreamItem } from "../../contract/event-envelope.ts";
import type { UserStreamItem } from "../../contract/user-events.ts";
import type { LogPosition } from "./cursor.ts";
import type { LogReader } from "./log-sql.ts";

/** An item of a stream, with the cursor after it as its id. */
export type Tracked<Item> = ReturnType<typeof tracked<Item>>;

/** A message about a stream. */
export type StreamSignal = { type: "ready"; cursor: string } | { type: "resync"; cursor: string };

/** One open stream of events. */
export type EventStream<Item = { type: string }> = AsyncIterable<Tracked<Item>> & {
  /** How many events it has sent. */
  readonly count: number;
  /** The cursor after everything sent, and everything that its reader may not see. */
  readonly cursor: string;
  /** Called at intervals, to show that the connection is alive. */
  ping: (() => void) | undefined;
  /** Closes the connection of a client that does not read. */
  cut: (() => void) | undefined;
  /** Ends the stream at once. */
  close(): void;
};

/** A wait for new events in a workspace's log. */
export type Watch = {
  /** Resolves when an event has become readable since the last call, at the latest after `ms`. */
  next(ms: number, gone: AbortSignal | undefined): Promise<void>;
  /** Whether waiting is over because the service stops. */
  readonly isReleased: boolean;
  close(): void;
};

/** The workspace or the user whose log is read. */
export type LogOwner = { id: bigint; publicId: string };

/** A log that a stream has: who reads it, and from where; undefined for new events only. */
export type LogSource = {
  owner: LogOwner;
  reader: LogReader;
  from: { position: LogPosition; cursor: string } | undefined;
};

/** Reads the logs of workspaces for all open streams: each log once for all its streams. */
export type EventHub = {
  /** Opens a stream of a workspace; 429 when the user has too many. */
  subscribe(userId: bigint, workspace: LogSource): Promise<EventStream<StreamItem>>;
  /** Opens the stream of a user's own log and of some workspaces; 429 as for `subscribe`. */
  subscribeUser(stream: {
    own: LogSource;
    logs: LogSource[];
  }): Promise<EventStream<UserStreamItem>>;
  /** Waits for new events without holding a database connection; 429 as for `subscribe`. */
  watch(workspace: LogOwner, userId: bigint): Promise<Watch>;
  /** Whether no stream is open, and nothing waits: no log is read. */
  isIdle(): boolean;
  /** Ends all waits; later ones end at once. */
  release(): void;
  /** Ends all streams. */
  stop(): void;
};
