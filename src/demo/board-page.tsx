import { useEffect, useMemo, useState } from "react";
import { useBoard } from "@workspace-board-service/client/react";
import { CardDialog } from "./card-dialog.tsx";
import { DragArea } from "./drag-area.tsx";
import { ListColumn } from "./list-column.tsx";
import { NameForm } from "./name-form.tsx";
import { hrefOf, replace } from "./route.ts";
import { useFlash } from "./use-flash.ts";
import { useMoves } from "./use-moves.ts";

/** A board with its lists and cards, and a card in a dialog. */
export function BoardPage({ id, openCard }: { id: string; openCard: string }) {
  const [text, setText] = useState("");
  const filter = useMemo(() => (text === "" ? {} : { filter: { text } }), [text]);
  const { status, board, error, lists, cards, undo } = useBoard(id, filter);
  const flashed = useFlash(id);
  const { moved, move, moveByKey, undoMove } = useMoves(board, cards, undo);

  useTitle(board?.name);

  if (status === "loading" || status === "offline") return <p className="page">Loading…</p>;
  if (status === "denied") return <Denied message={error.issues[0]?.message ?? error.message} />;
  return (
    <main className="board">
      <div className="board-top">
        <h1>{board.name}</h1>
        <input
          type="search"
          aria-label="Filter cards"
          placeholder="Filter cards"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {text !== "" && board.lists.every((list) => list.cards.length === 0) && (
        <p className="hint" role="status">
          No card has this text.
        </p>
      )}
      <DragArea board={board} onMove={move}>
        {(target) => (
          <div className="lists">
            {board.lists.map((list) => (
              <ListColumn
                key={list.publicId}
                board={board}
                list={list}
                flashed={flashed}
                target={target?.list === list.publicId ? target : undefined}
                onAdd={(title) => void cards.create({ list: list.publicId, title })}
                onKey={moveByKey}
              />
            ))}
            <section className="list new">
              <NameForm label="New list" onSubmit={(name) => void lists.create({ name })} />
            </section>
          </div>
        )}
      </DragArea>
      <Toast text={moved} onUndo={undoMove} />
      {openCard !== "" && (
        <CardDialog
          key={openCard}
          board={board}
          id={openCard}
          onClose={() => replace("board", id)}
        />
      )}
    </main>
  );
}

function useTitle(board: string | undefined) {
  useEffect(() => {
    document.title = board === undefined ? "Boards" : `${board} – Boards`;
  }, [board]);
}

/** The board cannot be seen: it was deleted, or the access has ended. */
function Denied({ message }: { message: string }) {
  return (
    <main className="page">
      <p role="alert">{message}</p>
      <a href={hrefOf()}>All workspaces</a>
    </main>
  );
}

function Toast({ text, onUndo }: { text: string; onUndo: () => void }) {
  return (
    <p className="toast" role="status">
      {text !== "" && (
        <>
          {text}{" "}
          <button type="button" onClick={onUndo}>
            Undo
          </button>
        </>
      )}
    </p>
  );
}
