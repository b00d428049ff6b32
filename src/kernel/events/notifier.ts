import { withOpenSpan } from "../../platform/tracing/tracing.ts";
import type { Log } from "./logs.ts";

/** New events of a log. */
export type LogChange = {
  log: Log;
  /** Whether there is work for workers, such as a delivery. */
  hasWork: boolean;
  /** Whether this process has committed it. */
  isHere: boolean;
};

/** Who to wake after a statement: workers, and users with new events. */
export type WrittenWork = { hasWork: boolean; userIds: readonly bigint[] };

/** Events that a transaction has written to the log of a workspace, or of users alone. */
export type PendingChange = { workspaceId: bigint | null; written: Promise<WrittenWork> };

type Listener = (notification: LogChange) => void;

/** Notifies waiters of new events. A notification may be lost: waiters also poll. */
export type Notifier = {
  /** Notifies all listeners of a commit. */
  notify(notification: LogChange): void;
  /** Calls the listener for every notification, until the returned function is called. */
  subscribe(listener: Listener): () => void;
};

/** A notifier of this process. */
export function createNotifier(): Notifier {
  const listeners = new Set<Listener>();
  return {
    notify(notification) {
      for (const listener of listeners) listener(notification);
    },
    subscribe(listener) {
      // It is woken by a write, and is no part of its trace.
      const bound = withOpenSpan(listener);
      listeners.add(bound);
      return () => void listeners.delete(bound);
    },
  };
}
