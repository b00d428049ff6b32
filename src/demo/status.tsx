import { useConnection, useMutationStatus } from "@workspace-board-service/client/react";

/** Whether the page is offline, and how many changes wait to be sent. */
export function Connection() {
  const connection = useConnection();
  const { pending } = useMutationStatus();
  const isOffline = connection === "offline" || connection === "reconnecting";
  const unsent = pending === 0 ? "" : ` ${pending} unsent ${pending === 1 ? "change" : "changes"}.`;
  return (
    <span className="offline" role="status">
      {isOffline && `Offline.${unsent}`}
    </span>
  );
}

const results: Record<string, string> = {
  create: "not added",
  update: "not saved",
  move: "not moved",
  delete: "not deleted",
};

/** The changes that the service has refused. They are rolled back. */
export function Failures() {
  const { failed, retry, discard } = useMutationStatus();
  return (
    <div className="failures">
      {failed.map(({ id, operation, error }) => {
        const [resource = "", verb = ""] = operation.split(".");
        return (
          <p key={id} role="alert">
            <span>
              {resource} {results[verb] ?? "not changed"}:{" "}
              {error.issues[0]?.message ?? error.message}
            </span>
            <button type="button" onClick={() => retry(id)}>
              Try again
            </button>
            <button type="button" onClick={() => discard(id)}>
              Discard
            </button>
          </p>
        );
      })}
    </div>
  );
}
