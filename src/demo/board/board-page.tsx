import { useState } from "react";
import { useBoard, useBoardValue, useStore } from "@workspace-board-service/client/react";
import {
  filterBoard,
  type BoardStore,
  type BoardView,
} from "@workspace-board-service/client/store";
import { CardDialog } from "../card/card-dialog.tsx";
import { Boundary } from "../components/boundary.tsx";
import { Icon } from "../components/icon.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { Toast } from "../components/toast.tsx";
import { useNotice, type Notify } from "../components/use-notice.ts";
import { ViewTabs } from "../views/view-tabs.tsx";
import { hrefOf, replaceWithin } from "../base/route.ts";
import { messageOf } from "../base/service.ts";
import { useCardFocus } from "../base/use-focus.ts";
import { BoardTop } from "./board-top.tsx";
import { DragArea } from "./drag-area.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { ListColumn } from "./list-column.tsx";
import { useFilter } from "./use-filter.ts";
import { useFlash } from "./use-flash.ts";
import { useMoves } from "./use-moves.ts";

type HintProps = {
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
function FilterHint({ board, all, added, onClear }: HintProps) {
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

/** What an address selects that names what is not there. */
const none = () => false;

type Props = { id: string; openCard: string };

/** A board with its lists and cards, and a card in a dialog. */
export function BoardPage({ id, openCard }: Props) {
  const { status, board, error } = useBoard(id);
  if (error !== undefined) return <Denied message={messageOf(error)} />;
  if (board === undefined) return <Waiting isOffline={status === "offline"} />;
  return <OpenBoard id={id} openCard={openCard} />;
}

function OpenBoard({ id, openCard }: Props) {
  const all = useBoardValue(id, whole);
  const filter = useFilter(all);
  const { board = all && filterBoard(all, none), undo } = useBoard(id, { filter: filter.tree });
  const { notice, notify, hide } = useNotice();
  const [added, setAdded] = useState("");
  const [isFilterOpen, setIsFilterOpen] = useState(false);
  useCardFocus(openCard);
  if (board === undefined || all === undefined) return null;
  const isFiltered = filter.tree !== undefined;
  return (
    <main id="main" className="board" tabIndex={-1}>
      <BoardTop board={board} notify={notify} />
      <div className="tab-row">
        <Boundary name="The views">
          <ViewTabs workspace={board.workspacePublicId} board={id} />
        </Boundary>
        <button
          type="button"
          className={isFiltered ? "narrow-only chosen" : "narrow-only"}
          aria-expanded={isFilterOpen}
          aria-controls="filters"
          onClick={() => setIsFilterOpen(!isFilterOpen)}
        >
          <Icon name="filter" /> Filter
        </button>
      </div>
      <Boundary name="The filter">
        <FilterBar board={all} filter={filter} isOpen={isFilterOpen} />
      </Boundary>
      {isFiltered && <FilterHint board={board} all={all} added={added} onClear={filter.clear} />}
      <Lists
        board={board}
        all={isFiltered ? all : undefined}
        undo={undo}
        notify={notify}
        onAdded={setAdded}
      />
      <Toast notice={notice} onHide={hide} />
      {openCard !== "" && (
        <CardDialog
          key={openCard}
          board={all}
          id={openCard}
          notify={notify}
          onClose={() => replaceWithin("board", id)}
        />
      )}
    </main>
  );
}

type ListsProps = {
  board: BoardView;
  /** The board without the filter; undefined without a filter. */
  all: BoardView | undefined;
  undo: BoardStore["undo"];
  notify: Notify;
  onAdded: (card: string) => void;
};

/** The lists of a board, between which cards can be moved. */
function Lists({ board, all, undo, notify, onAdded }: ListsProps) {
  const { cards } = useStore().board(board.publicId);
  const flashed = useFlash(board.publicId);
  const { move, moveByKey } = useMoves(board, cards, undo, notify);
  return (
    <DragArea board={board} onMove={move}>
      {(target) => (
        <div className="lists">
          {board.lists.length === 0 && (
            <p className="hint">This board has no list. “New list” above makes one.</p>
          )}
          {board.lists.map((list, nth) => (
            <Boundary key={list.publicId} name={`The list ${list.name}`}>
              <ListColumn
                board={board}
                list={list}
                total={all?.lists[nth]?.cards.length}
                flashed={flashed}
                target={target?.list === list.publicId ? target : undefined}
                onAdd={(title) => onAdded(cards.create({ list: list.publicId, title }).publicId)}
                onKey={moveByKey}
                notify={notify}
              />
            </Boundary>
          ))}
        </div>
      )}
    </DragArea>
  );
}

/** The board is being read, or cannot be. */
const Waiting = ({ isOffline }: { isOffline: boolean }) => (
  <main id="main" className="page" tabIndex={-1}>
    <p className="hint">
      {isOffline ? "You are offline. This board was not opened here before." : "Loading…"}
    </p>
  </main>
);

/** The board cannot be seen: it was deleted, or the access has ended. */
function Denied({ message }: { message: string }) {
  return (
    <main id="main" className="page" tabIndex={-1}>
      <PageTitle title="No board" />
      <p role="alert">{message}</p>
      <a href={hrefOf()}>All workspaces</a>
    </main>
  );
}
