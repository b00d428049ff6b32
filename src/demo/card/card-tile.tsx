import type { KeyboardEventHandler } from "react";
import type { BoardView } from "@workspace-board-service/client/store";
import { Avatar, Claim, colourClass, Due } from "../components/parts.tsx";
import { FieldValues } from "./field-values.tsx";
import type { Card } from "../base/types.ts";

type Props = {
  board: BoardView;
  card: Card;
  className?: string;
  href?: string;
  onKeyDown?: KeyboardEventHandler;
};

/** A card in its list. Alt and an arrow key move it. */
export function CardTile({ board, card, className = "", href, onKeyDown }: Props) {
  const { checklistItems, commentCount, attachmentCount } = card;
  return (
    <article className={`card ${className}`}>
      {card.labels.length > 0 && (
        <p className="labels">
          {card.labels.map((label) => (
            <span key={label.publicId} className={`label ${colourClass(label)}`}>
              {label.name}
            </span>
          ))}
        </p>
      )}
      <a
        id={`card-${card.publicId}`}
        href={href}
        draggable={false}
        onKeyDown={onKeyDown}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight"
      >
        {card.title}
      </a>
      <FieldValues board={board} values={card.fields} />
      <p className="facts">
        <span>{card.cardNumber}</span>
        {card.dueDate !== null && <Due date={card.dueDate} isComplete={card.isComplete} />}
        {checklistItems.total > 0 && (
          <span>
            {checklistItems.completed}/{checklistItems.total} items
          </span>
        )}
        {commentCount > 0 && <span>{count(commentCount, "comment")}</span>}
        {attachmentCount > 0 && <span>{count(attachmentCount, "file")}</span>}
        {card.claim !== null && <Claim claim={card.claim} />}
        <span className="members">
          {card.members.map((member) => (
            <Avatar key={member.publicId} name={member.name} />
          ))}
        </span>
      </p>
    </article>
  );
}

const count = (size: number, noun: string) => `${size} ${noun}${size === 1 ? "" : "s"}`;
