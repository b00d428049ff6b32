import { paginate } from "@workspace-board-service/client";
import { Modal } from "../components/modal.tsx";
import { boards } from "../base/service.ts";
import { allOf, useQuery } from "../base/use-query.ts";
import { RestoreList, type Stored } from "./restore-list.tsx";
import { restore, trashOf } from "./trash.ts";

type Props = { workspace: string; onClose: () => void };

/** The archived boards of a workspace, and its trash. */
export function WorkspaceArchive({ workspace, onClose }: Props) {
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
