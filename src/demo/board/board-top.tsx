import { useState } from "react";
import { useStore, useActivity } from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { ActionMenu } from "../components/action-menu.tsx";
import { RenameDialog } from "../components/questions.tsx";
import type { Notify } from "../components/use-notice.ts";
import { open } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";
import { MembersDialog } from "../workspace/members-dialog.tsx";
import { ArchiveDialog } from "./archive-dialog.tsx";
import { LabelsDialog } from "./labels-dialog.tsx";
import { ActivityList } from "../components/activity-list.tsx";
import { Modal } from "../components/modal.tsx";

/** What has happened on a board, newest first. */
function ActivityPanel({ board, onClose }: { board: BoardView; onClose: () => void }) {
  const boardPublicId = board.publicId;
  const { data, error, more } = useActivity(boardPublicId);
  return (
    <Modal title="Activity" size="side" onClose={onClose}>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {data === undefined ? (
        error === undefined && <p>Loading…</p>
      ) : (
        <>
          <ActivityList board={boardPublicId} items={data.items} />
          {data.hasMore && (
            <button type="button" onClick={() => void more()}>
              Show more
            </button>
          )}
        </>
      )}
    </Modal>
  );
}

type Props = { board: BoardView; notify: Notify };

/** The name of a board, and what can be done with it. */
export function BoardTop({ board, notify }: Props) {
  const [shown, show] = useState("");
  const close = () => show("");
  const id = board.publicId;
  const { update } = useStore().board(id);
  const leave = (call: Promise<unknown>) =>
    void call.then(
      () => open(),
      (error: unknown) => notify({ text: messageOf(error) }),
    );
  return (
    <div className="board-top">
      <h1>{board.name}</h1>
      {board.isArchived && <span className="badge">Archived</span>}
      <span className="buttons">
        <button type="button" onClick={() => show("members")}>
          Members
        </button>
        <button type="button" onClick={() => show("activity")}>
          Activity
        </button>
        <ActionMenu
          label="Board menu"
          actions={[
            { name: "Rename the board", run: () => show("rename") },
            { name: "Edit labels", run: () => show("labels") },
            { name: "Archive and trash", run: () => show("archive") },
            {
              name: board.isArchived ? "Bring the board back" : "Archive the board",
              run: () => leave(update({ isArchived: !board.isArchived }).done),
            },
            {
              name: "Delete the board",
              isDangerous: true,
              run: () => leave(boards.board.delete({ boardPublicId: id })),
            },
          ]}
        />
      </span>
      {shown === "rename" && (
        <RenameDialog
          title="Rename the board"
          value={board.name}
          onSave={(name) => void update({ name })}
          onClose={close}
        />
      )}
      {shown === "labels" && <LabelsDialog board={board} onClose={close} />}
      {shown === "archive" && <ArchiveDialog board={board} onClose={close} />}
      {shown === "activity" && <ActivityPanel board={board} onClose={close} />}
      {shown === "members" && <MembersDialog workspace={board.workspacePublicId} onClose={close} />}
    </div>
  );
}
