import { useCard, useStore } from "@workspace-board-service/client/react";
import type { BoardStore, BoardView, CardDetail } from "@workspace-board-service/client/store";
import { useState } from "react";
import type { CardSummary } from "../base/types.ts";
import { Boundary } from "../components/boundary.tsx";
import { EditableText } from "../components/editable-text.tsx";
import { Modal } from "../components/modal.tsx";
import type { Notify } from "../components/use-notice.ts";
import { messageOf, boards } from "../base/service.ts";
import { CardFields } from "./card-fields.tsx";
import { CustomFields } from "./custom-fields.tsx";
import { CardMenu } from "./card-menu.tsx";
import { Checklists } from "./checklists.tsx";
import { Comments } from "./comments.tsx";
import { Description } from "./description.tsx";
import { Files } from "./files.tsx";
import { Relations } from "./relations.tsx";
import { ActivityList } from "../components/activity-list.tsx";
import { useQuery } from "../base/use-query.ts";

/** The history of a card, which is read when it is opened. */
function CardActivity({ card, workspace }: { card: CardDetail; workspace: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Activity</summary>
      {isOpen && <History id={card.publicId} version={card.version} workspace={workspace} />}
    </details>
  );
}

type HistoryProps = { id: string; version: number; workspace: string };

function History({ id, version, workspace }: HistoryProps) {
  const { data, error } = useQuery(`history ${id} ${version}`, (signal) =>
    boards.card.activities({ cardPublicId: id, limit: 50 }, { signal }),
  );
  if (error !== undefined) return <p role="alert">{messageOf(error)}</p>;
  if (data === undefined) return <p>Loading…</p>;
  return <ActivityList workspace={workspace} items={data.items} />;
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
    <Modal title={summary.cardNumber} size="card-box" onClose={onClose}>
      <div className="card-title">
        <EditableText
          className="title"
          label="Title"
          value={summary.title}
          isRequired
          onSave={(title) => void actions.cards.update(id, { title })}
        />
        <CardMenu
          board={board}
          id={id}
          title={summary.title}
          label="Card menu"
          notify={notify}
          onLeave={onClose}
        />
      </div>
      <div className="card-columns">
        <div className="card-side" role="group" aria-label="Properties">
          <Boundary name="The properties">
            <CardFields board={board} card={summary} cards={actions.cards} />
          </Boundary>
          <Boundary name="The custom fields">
            <CustomFields
              board={board}
              values={summary.fields}
              onSave={(fields) => void actions.cards.update(id, { fields })}
            />
          </Boundary>
        </div>
        <div className="card-text">
          {card === undefined ? (
            <p className="hint">
              {status === "offline"
                ? "You are offline. The rest of the card is not stored."
                : "Loading…"}
            </p>
          ) : (
            <CardText board={board} card={card} actions={actions} reload={detail.reload} />
          )}
        </div>
      </div>
    </Modal>
  );
}

type TextProps = {
  board: BoardView;
  card: CardDetail;
  actions: BoardStore;
  reload: () => Promise<void>;
};

/** The texts, checklists, files and comments of a card. */
function CardText({ board, card, actions, reload }: TextProps) {
  return (
    <>
      <Boundary name="The description">
        <Description
          text={card.description ?? ""}
          onSave={(description) => void actions.cards.update(card.publicId, { description })}
        />
      </Boundary>
      <Boundary name="The checklists">
        <Checklists card={card} checklists={actions.checklists} />
      </Boundary>
      <Boundary name="The relations">
        <Relations board={board} card={card} cards={actions.cards} />
      </Boundary>
      <Boundary name="The files">
        <Files card={card} reload={reload} />
      </Boundary>
      <Boundary name="The comments">
        <Comments board={board} card={card} comments={actions.comments} />
      </Boundary>
      <Boundary name="The activity">
        <CardActivity card={card} workspace={board.workspacePublicId} />
      </Boundary>
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
