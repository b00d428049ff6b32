import type { ConnectionState } from "./connection.ts";
import type { Entry } from "./types.ts";

/** What the outbox informs its store of. */
export type OutboxHandlers = {
  /** The changes are others than before. */
  onChange: () => void;
  /** The service has accepted a change. */
  onAccepted(entry: Entry): void;
  /** The service has refused a change. */
  onFailed(entry: Entry): void;
  /** What requests say about the connection. */
  connection: ConnectionState;
};
