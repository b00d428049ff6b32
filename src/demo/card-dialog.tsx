import { useEffect, useRef } from "react";
import { useCard, useStore } from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { CardFields } from "./card-fields.tsx";
import { CardPeople } from "./card-people.tsx";
import { Checklists } from "./checklists.tsx";
import { Comments } from "./comments.tsx";
import { EditableText } from "./editable-text.tsx";
import { Files } from "./files.tsx";
import type { CardSummary } from "./types.ts";

type Props = { board: BoardView; id: string; onClose: () => void };

/** A card with everything on it. */
export function CardDialog({ board, id, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="card-dialog"
      aria-labelledby="card-title"
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div className="card-page">
        <button
          type="button"
          className="close"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          ✕
        </button>
        <CardPage board={board} id={id} onClose={() => dialog.current?.close()} />
      </div>
    </dialog>
  );
}

function CardPage({ board, id, onClose }: Props) {
  const detail = useCard(id);
  const { status, card, error } = detail;
  const actions = useStore().board(board.publicId);
  const summary = card ?? summaryOf(board, id);
  if (status === "denied" || summary === undefined) {
    return <p role="alert">{error?.issues[0]?.message ?? "The card is not on this board."}</p>;
  }
  return (
    <>
      <p className="facts">{summary.cardNumber}</p>
      <EditableText
        id="card-title"
        className="title"
        label="Title"
        value={summary.title}
        isRequired
        onSave={(title) => void actions.cards.update(id, { title })}
      />
      <CardFields board={board} card={summary} cards={actions.cards} />
      <CardPeople board={board} card={summary} cards={actions.cards} />
      {card === undefined ? (
        <p>Loading…</p>
      ) : (
        <>
          <h3>Description</h3>
          <EditableText
            label="Description"
            value={card.description ?? ""}
            onSave={(description) => void actions.cards.update(id, { description })}
          />
          <Checklists card={card} checklists={actions.checklists} />
          <Files card={card} reload={() => detail.reload()} />
          <Comments card={card} comments={actions.comments} />
        </>
      )}
      <button
        type="button"
        className="archive"
        onClick={() => {
          void actions.cards.archive(id);
          onClose();
        }}
      >
        Archive the card
      </button>
    </>
  );
}

/** What the board shows of the card: it is there before the card is loaded, and offline. */
function summaryOf({ lists }: BoardView, id: string): CardSummary | undefined {
  for (const { publicId: listPublicId, cards } of lists) {
    const card = cards.find(({ publicId }) => publicId === id);
    if (card !== undefined) return { ...card, listPublicId };
  }
  return undefined;
}
