import type { KeyboardEventHandler, ReactNode, Ref } from "react";
import type { BoardView } from "@workspace-board-service/client/store";
import { Avatar } from "../components/avatar.tsx";
import { Icon, PriorityIcon } from "../components/icon.tsx";
import { Claim, colourClass, Due } from "../components/parts.tsx";
import { FieldValues } from "./field-values.tsx";
import type { Card } from "../base/types.ts";

type Props = {
  board: BoardView;
  card: Card;
  className?: string;
  href?: string;
  onKeyDown?: KeyboardEventHandler;
  linkRef?: Ref<HTMLAnchorElement>;
  /** The id of the text that says how the card is moved. */
  describedBy?: string;
  /** The menu of the card. */
  menu?: ReactNode;
};

/** A card in its list. Alt and an arrow key move it. */
export function CardTile({ board, card, className = "", href, menu, ...props }: Props) {
  return (
    <article className={`card ${className}`}>
      <div className="card-head">
        <Priority priority={card.priority} />
        <span className="number">{card.cardNumber}</span>
        {menu}
        <Members members={card.members} />
      </div>
      <a
        id={href === undefined ? undefined : `card-${card.publicId}`}
        ref={props.linkRef}
        href={href}
        draggable={false}
        onKeyDown={props.onKeyDown}
        aria-describedby={props.describedBy}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight"
      >
        {card.title}
      </a>
      {card.labels.length > 0 && (
        <p className="labels">
          {card.labels.map((label) => (
            <span key={label.publicId} className={`label ${colourClass(label)}`}>
              {label.name}
            </span>
          ))}
        </p>
      )}
      <FieldValues board={board} values={card.fields} />
      <Facts card={card} />
    </article>
  );
}

const maxFaces = 3;

/** Who is assigned: some faces, and how many more. */
export const Members = ({ members }: Pick<Card, "members">) => (
  <span className="members">
    {members.slice(0, maxFaces).map((member) => (
      <Avatar key={member.publicId} person={member} isAlone />
    ))}
    {members.length > maxFaces && (
      <small title={members.map(({ name }) => name).join(", ")}>+{members.length - maxFaces}</small>
    )}
  </span>
);

/** The priority of a card as a sign; nothing for none. */
export const Priority = ({ priority }: Pick<Card, "priority">) =>
  priority !== "none" && (
    <span className="fact" title={`Priority: ${priority}`}>
      <span className="unseen">Priority {priority}</span>
      <PriorityIcon priority={priority} />
    </span>
  );

/** What a card has, as signs with numbers in one line. */
function Facts({ card }: { card: Card }) {
  const {
    dueDate,
    isDueAllDay,
    hasDescription,
    checklistItems,
    commentCount,
    attachmentCount,
    claim,
    openBlockers,
    children,
  } = card;
  const facts = [
    dueDate !== null && (
      <Due key="due" date={dueDate} isAllDay={isDueAllDay} isComplete={card.isComplete} />
    ),
    dueDate === null && card.isComplete && (
      <Fact key="complete" icon="check" text="" meaning="Complete" />
    ),
    openBlockers > 0 && !card.isComplete && (
      <Fact key="blocked" icon="blocked" text={`${openBlockers}`} meaning="open blockers" />
    ),
    children.total > 0 && (
      <Fact
        key="children"
        icon="parts"
        text={`${children.completed}/${children.total}`}
        meaning="parts complete"
      />
    ),
    hasDescription && <Fact key="text" icon="text" text="" meaning="Has a description" />,
    checklistItems.total > 0 && (
      <Fact
        key="items"
        icon="check"
        text={`${checklistItems.completed}/${checklistItems.total}`}
        meaning="checklist items"
      />
    ),
    commentCount > 0 && (
      <Fact
        key="comments"
        icon="comment"
        text={`${commentCount}`}
        meaning={commentCount === 1 ? "comment" : "comments"}
      />
    ),
    attachmentCount > 0 && (
      <Fact
        key="files"
        icon="file"
        text={`${attachmentCount}`}
        meaning={attachmentCount === 1 ? "file" : "files"}
      />
    ),
    claim !== null && <Claim key="claim" claim={claim} />,
  ].filter((fact) => fact !== false);
  return facts.length > 0 && <p className="facts">{facts}</p>;
}

type FactProps = { icon: Parameters<typeof Icon>[0]["name"]; text: string; meaning: string };

const Fact = ({ icon, text, meaning }: FactProps) => (
  <span className="fact" title={`${text} ${meaning}`.trim()}>
    <Icon name={icon} />
    {text}
    <span className="unseen"> {meaning}</span>
  </span>
);
