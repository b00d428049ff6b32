import { useState } from "react";
import { useStore, useActivity, useMutationStatus } from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { newPublicId } from "@workspace-board-service/client";
import { ActionMenu } from "../components/action-menu.tsx";
import { RenameDialog } from "../components/questions.tsx";
import type { Notify } from "../components/use-notice.ts";
import { open } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";
import { MembersDialog } from "../workspace/members-dialog.tsx";
import { CustomFieldsDialog } from "./custom-fields-dialog.tsx";
import { OpenWorkDialog } from "./open-work-dialog.tsx";
import { LabelsDialog } from "./labels-dialog.tsx";
import { ActivityList } from "../components/activity-list.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { Modal } from "../components/modal.tsx";
import { useQuery } from "../base/use-query.ts";
import { RestoreList, type Stored } from "../workspace/restore-list.tsx";
import { restore, trashOf } from "../workspace/trash.ts";

/** What is archived on a board, and its trash; each entry can be brought back. */
function ArchiveDialog({ board, onClose }: { board: BoardView; onClose: () => void }) {
  const id = board.publicId;
  // The store shows a change before the server has it: the lists are read again once it is there.
  const { pending } = useMutationStatus();
  const archived = useQuery(`archived ${id} ${pending}`, (signal) => archivedOf(id, signal));
  const trash = useQuery(`trash ${id} ${pending}`, async (signal) => {
    const all = await trashOf(board.workspacePublicId, signal);
    return all.filter(({ type, boardPublicId }) => type !== "board" && boardPublicId === id);
  });
  return (
    <Modal title="Archive and trash" onClose={onClose}>
      <RestoreList title="Archived" {...archived} onRestore={unarchive} />
      <RestoreList title="Trash" {...trash} onRestore={restore} />
      <p className="hint">The trash is emptied after 30 days.</p>
    </Modal>
  );
}

/** The archived lists and cards of a board. */
async function archivedOf(boardPublicId: string, signal: AbortSignal): Promise<Stored[]> {
  const { lists } = await boards.board.get({ boardPublicId, archived: true }, { signal });
  const cards = lists.flatMap((list) => list.cards).filter(({ isArchived }) => isArchived);
  return [
    ...lists
      .filter(({ isArchived }) => isArchived)
      .map(({ publicId, name }) => ({ type: "list" as const, publicId, name })),
    ...cards.map(({ publicId, title }) => ({ type: "card" as const, publicId, name: title })),
  ];
}

const unarchive = ({ type, publicId }: Stored): Promise<unknown> =>
  type === "list"
    ? boards.list.update({ listPublicId: publicId, isArchived: false })
    : boards.card.update({ cardPublicId: publicId, isArchived: false });

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
          <ActivityList
            workspace={board.workspacePublicId}
            board={boardPublicId}
            items={data.items}
          />
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

/** The dialogs of a board. */
type Shown =
  | ""
  | "list"
  | "rename"
  | "labels"
  | "fields"
  | "work"
  | "archive"
  | "activity"
  | "members";

/** The name of a board, and what can be done with it. */
export function BoardTop({ board, notify }: Props) {
  const [shown, show] = useState<Shown>("");
  return (
    <div className="board-top">
      <PageTitle title={board.name} />
      {board.isArchived && <span className="badge">Archived</span>}
      <span className="buttons">
        <button type="button" onClick={() => show("list")}>
          New list
        </button>
        <button type="button" className="wide" onClick={() => show("members")}>
          Members
        </button>
        <button type="button" className="wide" onClick={() => show("activity")}>
          Activity
        </button>
        <BoardMenu board={board} notify={notify} show={show} />
      </span>
      <BoardDialog board={board} shown={shown} onClose={() => show("")} />
    </div>
  );
}

function BoardMenu({ board, notify, show }: Props & { show: (shown: Shown) => void }) {
  const id = board.publicId;
  const { update } = useStore().board(id);
  const leave = (call: Promise<unknown>) =>
    void call.then(
      () => open(),
      (error: unknown) => notify({ text: messageOf(error) }),
    );
  return (
    <ActionMenu
      label="Board menu"
      actions={[
        { name: "Rename the board", run: () => show("rename") },
        { name: "Show the members", run: () => show("members") },
        { name: "Show the activity", run: () => show("activity") },
        { name: "Edit labels", run: () => show("labels") },
        { name: "Edit fields", run: () => show("fields") },
        { name: "Cards with open work", run: () => show("work") },
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
  );
}

type DialogProps = { board: BoardView; shown: Shown; onClose: () => void };

function BoardDialog({ board, shown, onClose }: DialogProps) {
  const { update, lists } = useStore().board(board.publicId);
  const addList = (name: string) => {
    const publicId = newPublicId();
    lists.create({ publicId, name });
    requestAnimationFrame(() => {
      const list = document.querySelector(`#list-${publicId}`);
      list?.scrollIntoView({ inline: "nearest", block: "nearest" });
    });
  };
  switch (shown) {
    case "list":
      return <RenameDialog title="New list" value="" onSave={addList} onClose={onClose} />;
    case "rename":
      return (
        <RenameDialog
          title="Rename the board"
          value={board.name}
          onSave={(name) => void update({ name })}
          onClose={onClose}
        />
      );
    case "labels":
      return <LabelsDialog board={board} onClose={onClose} />;
    case "fields":
      return <CustomFieldsDialog board={board} onClose={onClose} />;
    case "work":
      return (
        <OpenWorkDialog
          board={board}
          onSave={(openWorkMode) => void update({ openWorkMode })}
          onClose={onClose}
        />
      );
    case "archive":
      return <ArchiveDialog board={board} onClose={onClose} />;
    case "activity":
      return <ActivityPanel board={board} onClose={onClose} />;
    case "members":
      return <MembersDialog workspace={board.workspacePublicId} onClose={onClose} />;
    default:
      return null;
  }
}
