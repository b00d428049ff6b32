import { useCard, useStore } from "@workspace-board-service/client/react";
import type { BoardView, CardDetail } from "@workspace-board-service/client/store";
import { useState } from "react";
import type { CardSummary } from "../base/types.ts";
import { ActionMenu } from "../components/action-menu.tsx";
import { EditableText } from "../components/editable-text.tsx";
import { Modal } from "../components/modal.tsx";
import type { Notify } from "../components/use-notice.ts";
import { messageOf, boards } from "../base/service.ts";
import { CardFields } from "./card-fields.tsx";
import { CustomFields } from "./custom-fields.tsx";
import { CardPeople } from "./card-people.tsx";
import { Checklists } from "./checklists.tsx";
import { Comments } from "./comments.tsx";
import { Description } from "./description.tsx";
import { Files } from "./files.tsx";
import { ActivityList } from "../components/activity-list.tsx";
import { useQuery } from "../base/use-query.ts";

/** The history of a card, which is read when it is opened. */
function CardActivity({ card }: { card: CardDetail }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Activity</summary>
      {isOpen && <History id={card.publicId} version={card.version} />}
    </details>
  );
}

function History({ id, version }: { id: string; version: number }) {
  const { data, error } = useQuery(`history ${id} ${version}`, (signal) =>
    boards.card.activities({ cardPublicId: id, limit: 50 }, { signal }),
  );
  if (error !== undefined) return <p role="alert">{messageOf(error)}</p>;
  return data === undefined ? <p>Loading…</p> : <ActivityList items={data.items} />;
}

type Props = { board: BoardView; id: string; notify: Notify; onClose: () => void };

/** A card with everything on it. */
export function CardDialog({ board, id, notify, onClose }: Props) {
  const detail = useCard(id);
  const { status, card, error } = detail;
  const actions = useStore().board(board.publicId);
  const summary = card ?? summaryOf(board, id);
  if (status === "denied" || summary === undefined) {
    const message = error === undefined ? "The card is not on this board." : messageOf(error);
    return (
      <Modal title="Card" onClose={onClose}>
        <p role="alert">{message}</p>
      </Modal>
    );
  }
  return (
    <Modal title={summary.cardNumber} size="wide" onClose={onClose}>
      <div className="card-title">
        <EditableText
          className="title"
          label="Title"
          value={summary.title}
          isRequired
          onSave={(title) => void actions.cards.update(id, { title })}
        />
        <CardMenu id={id} title={summary.title} {...{ board, notify, onClose }} />
      </div>
      <CardFields board={board} card={summary} cards={actions.cards} />
      <CustomFields
        board={board}
        values={summary.fields}
        onSave={(fields) => void actions.cards.update(id, { fields })}
      />
      <CardPeople board={board} card={summary} cards={actions.cards} />
      {card === undefined ? (
        <p className="hint">
          {status === "offline"
            ? "You are offline. The rest of the card is not stored."
            : "Loading…"}
        </p>
      ) : (
        <>
          <Description
            text={card.description ?? ""}
            onSave={(description) => void actions.cards.update(id, { description })}
          />
          <Checklists card={card} checklists={actions.checklists} />
          <Files card={card} reload={() => detail.reload()} />
          <Comments board={board} card={card} comments={actions.comments} />
          <CardActivity card={card} />
        </>
      )}
    </Modal>
  );
}

function CardMenu({ board, id, title, notify, onClose }: Props & { title: string }) {
  const { cards } = useStore().board(board.publicId);
  return (
    <ActionMenu
      label="Card menu"
      actions={[
        {
          name: "Archive the card",
          run: () => {
            void cards.archive(id);
            notify({ text: `${title} is archived.`, run: () => void cards.unarchive(id) });
            onClose();
          },
        },
        {
          name: "Delete the card",
          isDangerous: true,
          run: () => {
            void cards.delete(id);
            notify({ text: `${title} is in the trash.`, run: () => void cards.restore(id) });
            onClose();
          },
        },
      ]}
    />
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
