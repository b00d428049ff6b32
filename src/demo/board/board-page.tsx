import { useEffect, useState } from "react";
import { useBoard, useBoardValue } from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { CardDialog } from "../card/card-dialog.tsx";
import { NameForm } from "../components/name-form.tsx";
import { Toast } from "../components/toast.tsx";
import { useNotice } from "../components/use-notice.ts";
import { ViewsBar } from "../views/views-bar.tsx";
import { hrefOf, replace } from "../base/route.ts";
import { messageOf } from "../base/service.ts";
import { BoardTop } from "./board-top.tsx";
import { DragArea } from "./drag-area.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { ListColumn } from "./list-column.tsx";
import { useFilter } from "./use-filter.ts";
import { useFlash } from "./use-flash.ts";
import { useMoves } from "./use-moves.ts";

type Props = {
  board: BoardView;
  /** The board without the filter. */
  all: BoardView | undefined;
  /** The last card that was added. */
  added: string;
  onClear: () => void;
};

const has = (board: BoardView | undefined, card: string) =>
  board?.lists.some((list) => list.cards.some(({ publicId }) => publicId === card)) === true;

/** Says why a card that was just added, or every card, is not shown. */
function FilterHint({ board, all, added, onClear }: Props) {
  const isHidden = has(all, added) && !has(board, added);
  if (!isHidden && board.lists.some((list) => list.cards.length > 0)) return null;
  return (
    <p className="hint" role="status">
      {isHidden ? "The filter hides the new card." : "No card passes the filter."}{" "}
      <button type="button" className="link" onClick={onClear}>
        Show all cards
      </button>
    </p>
  );
}

const whole = (board: BoardView | undefined) => board;

/** A board with its lists and cards, and a card in a dialog. */
export function BoardPage({ id, openCard }: { id: string; openCard: string }) {
  const all = useBoardValue(id, whole);
  const filter = useFilter(id, all);
  const isFiltered = filter.tree !== undefined;
  const { status, board, error, lists, cards, undo } = useBoard(id, filter.options);
  const flashed = useFlash(id);
  const { notice, notify, hide } = useNotice();
  const { move, moveByKey } = useMoves(board, cards, undo, notify);
  const [added, setAdded] = useState("");
  useTitle(board?.name);

  if (error !== undefined) return <Denied message={messageOf(error)} />;
  if (board === undefined) return <Waiting isOffline={status === "offline"} />;
  return (
    <div className="with-views">
      <ViewsBar workspace={board.workspacePublicId} />
      <main className="board">
        <BoardTop board={board} notify={notify} />
        <FilterBar board={all ?? board} filter={filter} />
        {isFiltered && <FilterHint board={board} all={all} added={added} onClear={filter.clear} />}
        <DragArea board={board} onMove={move}>
          {(target) => (
            <div className="lists">
              {board.lists.map((list, nth) => (
                <ListColumn
                  key={list.publicId}
                  board={board}
                  list={list}
                  total={isFiltered ? all?.lists[nth]?.cards.length : undefined}
                  flashed={flashed}
                  target={target?.list === list.publicId ? target : undefined}
                  onAdd={(title) => setAdded(cards.create({ list: list.publicId, title }).publicId)}
                  onKey={moveByKey}
                  notify={notify}
                />
              ))}
              <section className="list new">
                <NameForm label="New list" onSubmit={(name) => void lists.create({ name })} />
              </section>
            </div>
          )}
        </DragArea>
        <Toast notice={notice} onHide={hide} />
        {openCard !== "" && (
          <CardDialog
            key={openCard}
            board={all ?? board}
            id={openCard}
            notify={notify}
            onClose={() => replace("board", id)}
          />
        )}
      </main>
    </div>
  );
}

function useTitle(board: string | undefined) {
  useEffect(() => {
    document.title = board === undefined ? "Boards" : `${board} – Boards`;
  }, [board]);
}

/** The board is being read, or cannot be. */
const Waiting = ({ isOffline }: { isOffline: boolean }) => (
  <p className="page hint">
    {isOffline ? "You are offline. This board was not opened here before." : "Loading…"}
  </p>
);

/** The board cannot be seen: it was deleted, or the access has ended. */
function Denied({ message }: { message: string }) {
  return (
    <main className="page">
      <p role="alert">{message}</p>
      <a href={hrefOf()}>All workspaces</a>
    </main>
  );
}
