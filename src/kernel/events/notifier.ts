type Listener = (workspaceId: bigint, isHere: boolean) => void;

/** Notifies waiters of new events in a workspace. A notification may be lost: waiters also poll. */
export type Notifier = {
  /** This process has committed events. */
  notify(workspaceId: bigint): void;
  /** Another process has committed events. */
  notifyRemote(workspaceId: bigint): void;
  /** Calls the listener for every notification, until the returned function is called. */
  subscribe(listener: Listener): () => void;
};

/** A notifier of this process. */
export function createNotifier(): Notifier {
  const listeners = new Set<Listener>();
  const call = (workspaceId: bigint, isHere: boolean) => {
    for (const listener of listeners) listener(workspaceId, isHere);
  };
  return {
    notify: (workspaceId) => call(workspaceId, true),
    notifyRemote: (workspaceId) => call(workspaceId, false),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
