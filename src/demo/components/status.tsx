import { useEffect, useState } from "react";
import { useConnection, useMutationStatus } from "@workspace-board-service/client/react";
import { open } from "../base/route.ts";

/** A stream ends every few minutes: its next one usually follows at once. */
const reconnectMs = 2_000;

/** Whether the page is offline, and how many changes wait to be sent. */
export function Connection() {
  const connection = useConnection();
  const { pending } = useMutationStatus();
  const isLost = useLasting(connection === "reconnecting", reconnectMs);
  const isOffline = connection === "offline" || isLost;
  const unsent = pending === 0 ? "" : ` ${pending} unsent ${pending === 1 ? "change" : "changes"}.`;
  return (
    <span className="offline" role="status">
      {isOffline && `Offline.${unsent}`}
      {connection === "denied" && (
        <>
          Your session has ended.{unsent}{" "}
          <button type="button" onClick={() => open("sign-in")}>
            Sign in again
          </button>
        </>
      )}
    </span>
  );
}

/** Whether a condition has lasted for some time. */
function useLasting(isTrue: boolean, ms: number): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!isTrue) return undefined;
    const timer = setTimeout(() => setLasts(true), ms);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [isTrue, ms]);
  return lasts;
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
    <div className="failures" data-react-aria-top-layer="true">
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
