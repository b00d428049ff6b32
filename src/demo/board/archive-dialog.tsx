import { useMutationStatus } from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { Modal } from "../components/modal.tsx";
import { boards } from "../base/service.ts";
import { useQuery } from "../base/use-query.ts";
import { RestoreList, type Stored } from "../workspace/restore-list.tsx";
import { restore, trashOf } from "../workspace/trash.ts";

/** What is archived on a board, and its trash; each entry can be brought back. */
export function ArchiveDialog({ board, onClose }: { board: BoardView; onClose: () => void }) {
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
