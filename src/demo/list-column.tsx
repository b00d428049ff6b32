import type { KeyboardEvent } from "react";
import { useDraggable, useDroppable } from "@dnd-kit/core";
import type { BoardView } from "@workspace-board-service/client/store";
import { CardTile } from "./card-tile.tsx";
import { NameForm } from "./name-form.tsx";
import { hrefOf } from "./route.ts";
import type { Card, List, Target } from "./types.ts";

type OnKey = (card: string, event: KeyboardEvent) => void;
type Props = {
  board: BoardView;
  list: List;
  flashed: ReadonlySet<string>;
  /** Where in this list the dragged card would be dropped. */
  target: Target | undefined;
  onAdd: (title: string) => void;
  onKey: OnKey;
};

/** A list with its cards. */
export function ListColumn({ board, list, flashed, target, onAdd, onKey }: Props) {
  const { setNodeRef } = useDroppable({ id: list.publicId });
  const isEnd = target !== undefined && target.before === undefined;
  return (
    <section className="list" ref={setNodeRef} aria-label={list.name}>
      <h2>
        {list.name} <small>{list.cardCount}</small>
      </h2>
      <ol className={isEnd ? "cards end" : "cards"}>
        {list.cards.map((card) => (
          <DraggableCard
            key={card.publicId}
            board={board.publicId}
            list={list.publicId}
            card={card}
            className={
              (target?.before === card.publicId ? "before " : "") +
              (flashed.has(card.publicId) ? "flash" : "")
            }
            onKey={onKey}
          />
        ))}
      </ol>
      <NameForm label={`New card in ${list.name}`} placeholder="New card" onSubmit={onAdd} />
    </section>
  );
}

type CardProps = { board: string; list: string; card: Card; className: string; onKey: OnKey };

function DraggableCard({ board, list, card, className, onKey }: CardProps) {
  const { publicId } = card;
  const { setNodeRef: dragRef, listeners, isDragging } = useDraggable({ id: publicId });
  const { setNodeRef: dropRef } = useDroppable({ id: publicId, data: { list } });
  const setNode = (node: HTMLElement | null) => {
    dragRef(node);
    dropRef(node);
  };
  return (
    <li ref={setNode} {...listeners} className={isDragging ? "dragging" : className}>
      <CardTile
        card={card}
        href={hrefOf("board", board, publicId)}
        onKeyDown={(event) => onKey(publicId, event)}
      />
    </li>
  );
}
