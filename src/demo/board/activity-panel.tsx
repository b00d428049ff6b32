import { useActivity } from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { ActivityList } from "../components/activity-list.tsx";
import { Modal } from "../components/modal.tsx";
import { messageOf } from "../base/service.ts";

/** What has happened on a board, newest first. */
export function ActivityPanel({ board, onClose }: { board: BoardView; onClose: () => void }) {
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
