import { useState } from "react";
import { useStore } from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { ActionMenu } from "../components/action-menu.tsx";
import { RenameDialog } from "../components/questions.tsx";
import type { Notify } from "../components/use-notice.ts";
import type { List } from "../base/types.ts";

type Props = { board: BoardView; list: List; notify: Notify };

/** What can be done with a list. */
export function ListMenu({ board, list: { publicId, name }, notify }: Props) {
  const [isRenamed, setIsRenamed] = useState(false);
  const { lists } = useStore().board(board.publicId);
  const at = board.lists.findIndex((one) => one.publicId === publicId);
  const [left, right] = [board.lists[at - 1], board.lists[at + 1]];
  return (
    <>
      <ActionMenu
        label={`Menu of ${name}`}
        actions={[
          { name: "Rename", run: () => setIsRenamed(true) },
          left !== undefined && {
            name: "Move left",
            run: () => void lists.move(publicId, { before: left.publicId }),
          },
          right !== undefined && {
            name: "Move right",
            run: () => void lists.move(publicId, { after: right.publicId }),
          },
          {
            name: "Archive",
            run: () => {
              void lists.archive(publicId);
              notify({ text: `${name} is archived.`, run: () => void lists.unarchive(publicId) });
            },
          },
          {
            name: "Delete",
            isDangerous: true,
            run: () => {
              void lists.delete(publicId);
              notify({ text: `${name} is in the trash.`, run: () => void lists.restore(publicId) });
            },
          },
        ]}
      />
      {isRenamed && (
        <RenameDialog
          title="Rename the list"
          value={name}
          onSave={(next) => void lists.update(publicId, { name: next })}
          onClose={() => setIsRenamed(false)}
        />
      )}
    </>
  );
}
