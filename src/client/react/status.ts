import { useMemo, useSyncExternalStore } from "react";
import type { Connection, Failure, Mutations } from "../store/index.ts";
import { useStore } from "./provider.ts";

/** The changes that a server renders: none. */
const unchanged: Mutations = { pending: [], failed: [] };

/** What is not confirmed yet, and what failed. */
export type MutationStatus = {
  /** How many changes are not confirmed. */
  pending: number;
  /** The changes that the service has refused. */
  failed: readonly Failure[];
  /** Sends a failed change again, without its `ifVersion`. */
  retry: (mutationId: string) => void;
  /** Drops a failed change. */
  discard: (mutationId: string) => void;
};

/** The changes of a board, list, card or comment, or of all. */
export function useMutationStatus(publicId?: string): MutationStatus {
  const { onMutations, mutations, retry, discard } = useStore();
  const writes = useSyncExternalStore(onMutations, mutations, () => unchanged);
  return useMemo(() => {
    const concerns = (change: { publicId: string; boardPublicId: string; cardPublicId?: string }) =>
      publicId === undefined ||
      [change.publicId, change.cardPublicId, change.boardPublicId].includes(publicId);
    return {
      pending: writes.pending.filter(concerns).length,
      failed: writes.failed.filter(concerns),
      retry,
      discard,
    };
  }, [writes, publicId, retry, discard]);
}

/** The state of the connection to the service. */
export function useConnection(): Connection {
  const { onConnection, connection } = useStore();
  return useSyncExternalStore(onConnection, connection, () => "connecting");
}
