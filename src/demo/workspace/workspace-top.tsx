import { useState } from "react";
import { paginate } from "@workspace-board-service/client";
import { boards, messageOf } from "../base/service.ts";
import { ActionMenu } from "../components/action-menu.tsx";
import { RenameDialog } from "../components/questions.tsx";
import { useCall } from "../components/use-call.ts";
import { MembersDialog } from "./members-dialog.tsx";
import { Modal } from "../components/modal.tsx";
import { allOf, useQuery } from "../base/use-query.ts";
import { RestoreList, type Stored } from "./restore-list.tsx";
import { restore, trashOf } from "./trash.ts";

type ArchiveProps = { workspace: string; onClose: () => void };

/** The archived boards of a workspace, and its trash. */
function WorkspaceArchive({ workspace, onClose }: ArchiveProps) {
  const archived = useQuery(`archived ${workspace}`, (signal) => archivedOf(workspace, signal));
  const trash = useQuery(`trash ${workspace}`, (signal) => trashOf(workspace, signal));
  return (
    <Modal title="Archive and trash" onClose={onClose}>
      <RestoreList
        title="Archived"
        {...archived}
        onRestore={({ publicId }) =>
          boards.board.update({ boardPublicId: publicId, isArchived: false })
        }
      />
      <RestoreList title="Trash" {...trash} onRestore={restore} />
      <p className="hint">The trash is emptied after 30 days.</p>
    </Modal>
  );
}

async function archivedOf(workspacePublicId: string, signal: AbortSignal): Promise<Stored[]> {
  const input = { workspacePublicId, archived: true };
  const all = await allOf(paginate((page) => boards.board.list(page, { signal }), input));
  return all
    .filter(({ isArchived }) => isArchived)
    .map(({ publicId, name }) => ({ type: "board", publicId, name }));
}

type Props = { id: string; name: string; role: string };

/** The name of a workspace, and what can be done with it. */
export function WorkspaceTop({ id, name, role }: Props) {
  const [shown, show] = useState("");
  const close = () => show("");
  const { error, run } = useCall();
  return (
    <header>
      <h2>{name}</h2>
      <span className="badge">{role}</span>
      <span className="buttons">
        <button type="button" onClick={() => show("members")}>
          Members
        </button>
        <ActionMenu
          label={`Menu of ${name}`}
          actions={[
            { name: "Rename the workspace", run: () => show("rename") },
            { name: "Archive and trash", run: () => show("archive") },
          ]}
        />
      </span>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {shown === "members" && <MembersDialog workspace={id} onClose={close} />}
      {shown === "archive" && <WorkspaceArchive workspace={id} onClose={close} />}
      {shown === "rename" && (
        <RenameDialog
          title="Rename the workspace"
          value={name}
          onSave={(next) =>
            run(() => boards.workspace.update({ workspacePublicId: id, name: next }))
          }
          onClose={close}
        />
      )}
    </header>
  );
}
