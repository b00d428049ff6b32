/** A commit of events. */
export type LogChange = {
  /** The workspace with new events; null for events of users alone. */
  workspaceId: bigint | null;
  /** Whether there is work for workers, such as a delivery. */
  hasWork: boolean;
  /** The users with new events of their own. */
  userIds: readonly bigint[];
  /** Whether this process has committed it. */
  isHere: boolean;
};

/** Who to wake after a statement: workers, and users with new events. */
export type WrittenWork = Pick<LogChange, "hasWork" | "userIds">;

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
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
