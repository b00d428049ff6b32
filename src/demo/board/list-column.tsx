import { type KeyboardEvent, useState } from "react";
import { useDraggable, useDroppable } from "@dnd-kit/core";
import type { BoardView } from "@workspace-board-service/client/store";
import { useStore } from "@workspace-board-service/client/react";
import { CardTile } from "../card/card-tile.tsx";
import { NameForm } from "../components/name-form.tsx";
import type { Notify } from "../components/use-notice.ts";
import { hrefOf } from "../base/route.ts";
import type { Card, List, Target } from "../base/types.ts";
import { LimitDialog } from "./limit-dialog.tsx";
import { ActionMenu } from "../components/action-menu.tsx";
import { RenameDialog } from "../components/questions.tsx";

type ListMenuProps = { board: BoardView; list: List; notify: Notify };

/** What can be done with a list. */
function ListMenu({ board, list, notify }: ListMenuProps) {
  const { publicId, name } = list;
  const [shown, show] = useState("");
  const close = () => show("");
  const { lists } = useStore().board(board.publicId);
  const at = board.lists.findIndex((one) => one.publicId === publicId);
  const [left, right] = [board.lists[at - 1], board.lists[at + 1]];
  return (
    <>
      <ActionMenu
        label={`Menu of ${name}`}
        actions={[
          { name: "Rename", run: () => show("rename") },
          { name: "Limit", run: () => show("limit") },
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
      {shown === "limit" && (
        <LimitDialog
          list={list}
          onSave={(limit) => void lists.update(publicId, limit)}
          onClose={close}
        />
      )}
      {shown === "rename" && (
        <RenameDialog
          title="Rename the list"
          value={name}
          onSave={(next) => void lists.update(publicId, { name: next })}
          onClose={close}
        />
      )}
    </>
  );
}

type CountProps = Pick<Props, "list" | "total">;

/** How many cards a list has and may have, such as "3 / 5". */
function Count({ list: { cards, cardCount, wipLimit, wipMode }, total = cardCount }: CountProps) {
  const isLimited = wipLimit !== null && wipMode !== "off";
  const className = !isLimited || total < wipLimit ? "" : total > wipLimit ? "full over" : "full";
  const count = cards.length === total ? `${total}` : `${cards.length} of ${total}`;
  return (
    <small className={className} title={isLimited ? `At most ${wipLimit} cards` : undefined}>
      {isLimited ? `${count} / ${wipLimit}` : count}
    </small>
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
          {list.name} <Count list={list} total={total} />
        </h2>
        <ListMenu board={board} list={list} notify={notify} />
      </header>
      <ol className={isEnd ? "cards end" : "cards"}>
        {list.cards.map((card) => (
          <DraggableCard
            key={card.publicId}
            board={board}
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

type CardProps = { board: BoardView; list: string; card: Card; className: string; onKey: OnKey };

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
        board={board}
        card={card}
        href={hrefOf("board", board.publicId, publicId)}
        onKeyDown={(event) => onKey(publicId, event)}
      />
    </li>
  );
}
