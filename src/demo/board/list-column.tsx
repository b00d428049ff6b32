import { type KeyboardEvent, useState } from "react";
import { useDraggable, useDroppable } from "@dnd-kit/core";
import type { BoardView } from "@workspace-board-service/client/store";
import { useStore } from "@workspace-board-service/client/react";
import { CardTile } from "../card/card-tile.tsx";
import { NameForm } from "../components/name-form.tsx";
import type { Notify } from "../components/use-notice.ts";
import { hrefWithin } from "../base/route.ts";
import { focusSoon } from "../base/use-focus.ts";
import { Boundary } from "../components/boundary.tsx";
import { CardMenu } from "../card/card-menu.tsx";
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
    <section className="list" ref={setNodeRef} aria-label={list.name} id={`list-${list.publicId}`}>
      <header>
        <h2>
          {list.name} <Count list={list} total={total} />
        </h2>
        <ListMenu board={board} list={list} notify={notify} />
      </header>
      {list.cards.length === 0 && total !== undefined && total > 0 && (
        <p className="hint">
          The filter hides {total} {total === 1 ? "card" : "cards"}.
        </p>
      )}
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
            notify={notify}
          />
        ))}
      </ol>
      <NameForm
        label={`New card in ${list.name}`}
        placeholder="New card"
        shortcut="c"
        onSubmit={onAdd}
      />
    </section>
  );
}

type CardProps = {
  board: BoardView;
  list: string;
  card: Card;
  className: string;
  onKey: OnKey;
  notify: Notify;
};

function DraggableCard({ board, list, card, className, onKey, notify }: CardProps) {
  const { publicId, title } = card;
  const drag = useDraggable({ id: publicId });
  const { setNodeRef: dropRef } = useDroppable({ id: publicId, data: { list } });
  const setNode = (node: HTMLElement | null) => {
    drag.setNodeRef(node);
    dropRef(node);
  };
  return (
    <li ref={setNode} {...drag.listeners} className={drag.isDragging ? "dragging" : className}>
      <Boundary name={`The card ${title}`}>
        <CardTile
          board={board}
          card={card}
          href={hrefWithin("board", board.publicId, publicId)}
          linkRef={drag.setActivatorNodeRef}
          describedBy={drag.attributes["aria-describedby"]}
          onKeyDown={(event) => onKey(publicId, event)}
          menu={
            <CardMenu
              board={board}
              id={publicId}
              title={title}
              label={`Menu of the card ${title}`}
              notify={notify}
              onMoved={() => focusSoon(`#card-${publicId}`)}
            />
          }
        />
      </Boundary>
    </li>
  );
}
