type Listener = (workspaceId: bigint, isHere: boolean) => void;

/** Tells whoever waits for events that some have been committed in a workspace; a ring may be missed, so it only shortens a wait. */
export type Notifier = {
  /** Says that this process has committed events. */
  notify(workspaceId: bigint): void;
  /** Says that another one has. */
  notifyRemote(workspaceId: bigint): void;
  /** Hears every ring, and whether it was rung here, until the answer is called. */
  subscribe(listener: Listener): () => void;
};

/** A bell for this process. */
export function createNotifier(): Notifier {
  const listeners = new Set<Listener>();
  const tell = (workspaceId: bigint, isHere: boolean) => {
    for (const listener of listeners) listener(workspaceId, isHere);
  };
  return {
    notify: (workspaceId) => tell(workspaceId, true),
    notifyRemote: (workspaceId) => tell(workspaceId, false),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
