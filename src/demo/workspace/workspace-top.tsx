import { useState } from "react";
import { boards, messageOf } from "../base/service.ts";
import { ActionMenu } from "../components/action-menu.tsx";
import { RenameDialog } from "../components/questions.tsx";
import { useCall } from "../components/use-call.ts";
import { MembersDialog } from "./members-dialog.tsx";
import { WorkspaceArchive } from "./workspace-archive.tsx";

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
