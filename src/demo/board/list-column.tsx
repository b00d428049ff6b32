import { type KeyboardEvent, useState } from "react";
import { useDraggable, useDroppable } from "@dnd-kit/core";
import type { BoardView } from "@workspace-board-service/client/store";
import { useStore } from "@workspace-board-service/client/react";
import { CardTile } from "./card-tile.tsx";
import { NameForm } from "../components/name-form.tsx";
import type { Notify } from "../components/use-notice.ts";
import { hrefOf } from "../base/route.ts";
import type { Card, List, Target } from "../base/types.ts";
import { ActionMenu } from "../components/action-menu.tsx";
import { RenameDialog } from "../components/questions.tsx";

type ListMenuProps = { board: BoardView; list: List; notify: Notify };

/** What can be done with a list. */
function ListMenu({ board, list: { publicId, name }, notify }: ListMenuProps) {
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

type OnKey = (card: string, event: KeyboardEvent) => void;
type Props = {
  board: BoardView;
  list: List;
  /** How many cards there are without the filter; undefined without a filter. */
  total: number | undefined;
  flashed: ReadonlySet<string>;
  /** Where in this list the dragged card would be dropped. */
  target: Target | undefined;
  onAdd: (title: string) => void;
  onKey: OnKey;
  notify: Notify;
};

/** A list with its cards. */
export function ListColumn(props: Props) {
  const { board, list, total, flashed, target, onAdd, onKey, notify } = props;
  const { setNodeRef } = useDroppable({ id: list.publicId });
  const isEnd = target !== undefined && target.before === undefined;
  return (
    <section className="list" ref={setNodeRef} aria-label={list.name}>
      <header>
        <h2>
          {list.name}{" "}
          <small>{total === undefined ? list.cardCount : `${list.cards.length} of ${total}`}</small>
        </h2>
        <ListMenu board={board} list={list} notify={notify} />
      </header>
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
