import { useEffect, useState, type ReactNode } from "react";
import { useConnection, useMutationStatus, useStore } from "@workspace-board-service/client/react";
import type { Failure } from "@workspace-board-service/client/store";
import { open } from "../base/route.ts";
import { useWorkspace } from "../base/use-workspace.ts";

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

/** What was refused and why, as a sentence. */
function reasonOf({ operation, input, error }: Failure): string {
  const [resource = "", verb = ""] = operation.split(".");
  const result = results["listPublicId" in input && verb === "update" ? "move" : verb];
  const [issue] = error.issues;
  const reason =
    issue?.code === "wip_limit"
      ? `The limit of the list is ${issue.data?.limit}, and it would have ${issue.data?.count} cards.`
      : (issue?.message ?? error.message);
  return `${resource} ${result ?? "not changed"}: ${reason}`;
}

/** The changes that the service has refused. They are rolled back. */
export function Failures() {
  const { failed, retry, discard } = useMutationStatus();
  return (
    <div className="failures" data-react-aria-top-layer="true">
      {failed.map((failure) => (
        <p key={failure.id} role="alert">
          <span>{reasonOf(failure)}</span>
          <button type="button" onClick={() => retry(failure.id)}>
            Try again
          </button>
          <Anyway failure={failure} discard={discard} />
          <button type="button" onClick={() => discard(failure.id)}>
            Discard
          </button>
        </p>
      ))}
    </div>
  );
}

type AnywayProps = { failure: Failure; discard: (id: string) => void };

/** Puts a card into a full list anyway, for those who may change lists. */
function Anyway({ failure, discard }: AnywayProps) {
  const { cards, get } = useStore().board(failure.boardPublicId);
  const { id, publicId, operation, error, input } = failure;
  const { listPublicId: list, title, beforeCardPublicId: before } = input as Input;
  const workspace = get().board?.workspacePublicId;
  const isFull = error.issues.some(({ code }) => code === "wip_limit");
  if (!isFull || list === undefined || workspace === undefined) return null;
  const place = { list, override: true, ...(before === undefined ? {} : { before }) };
  const isNew = operation === "card.create";
  return (
    <WithPermission workspace={workspace} permission="list:edit">
      <button
        type="button"
        onClick={() => {
          discard(id);
          if (isNew) cards.create({ publicId, title: title ?? "", ...place });
          else cards.move(publicId, place);
        }}
      >
        {isNew ? "Add anyway" : "Move anyway"}
      </button>
    </WithPermission>
  );
}

/** The parts of the input of a refused change that tell where a card should have gone. */
type Input = { listPublicId?: string; beforeCardPublicId?: string; title?: string };

type Guarded = { workspace: string; permission: string; children: ReactNode };

const WithPermission = ({ workspace, permission, children }: Guarded) =>
  useWorkspace(workspace).may(permission) && children;
