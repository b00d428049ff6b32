type Listener = (workspaceId: bigint, isHere: boolean) => void;

/** Tells whoever waits for events that some have been committed in a workspace; a ring may be missed, so it only shortens a wait. */
export type Bell = {
  /** Says that this process has committed events. */
  ring(workspaceId: bigint): void;
  /** Says that another one has. */
  echo(workspaceId: bigint): void;
  /** Hears every ring, and whether it was rung here, until the answer is called. */
  onRing(listener: Listener): () => void;
};

/** A bell for this process. */
export function createBell(): Bell {
  const listeners = new Set<Listener>();
  const tell = (workspaceId: bigint, isHere: boolean) => {
    for (const listener of listeners) listener(workspaceId, isHere);
  };
  return {
    ring: (workspaceId) => tell(workspaceId, true),
    echo: (workspaceId) => tell(workspaceId, false),
    onRing(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
