import type { BoardView } from "@workspace-board-service/client/store";
import { ActivityList } from "../components/activity-list.tsx";
import { Modal } from "../components/modal.tsx";
import { boards, messageOf } from "../service.ts";
import { useQuery } from "../use-query.ts";

/** What has happened on a board, newest first. */
export function ActivityPanel({ board, onClose }: { board: BoardView; onClose: () => void }) {
  const boardPublicId = board.publicId;
  const { data, error } = useQuery(`activity ${boardPublicId}`, (signal) =>
    boards.board.activity({ boardPublicId, limit: 50 }, { signal }),
  );
  return (
    <Modal title="Activity" size="side" onClose={onClose}>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {data === undefined ? (
        error === undefined && <p>Loading…</p>
      ) : (
        <ActivityList board={boardPublicId} items={data.items} />
      )}
    </Modal>
  );
}
