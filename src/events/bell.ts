/** Tells whoever waits for events that some have been committed in a workspace; a ring may be missed, so it only shortens a wait. */
export type Bell = {
  ring(workspaceId: bigint): void;
  /** Hears every ring until the answer is called. */
  onRing(listener: (workspaceId: bigint) => void): () => void;
};

/** A bell for this process. */
export function createBell(): Bell {
  const listeners = new Set<(workspaceId: bigint) => void>();
  return {
    ring(workspaceId) {
      for (const listener of listeners) listener(workspaceId);
    },
    onRing(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
