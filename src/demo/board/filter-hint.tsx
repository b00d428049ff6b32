import type { BoardView } from "@workspace-board-service/client/store";

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
export function FilterHint({ board, all, added, onClear }: Props) {
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
