import type { ReactNode } from "react";
import type { BoardStore, BoardView } from "@workspace-board-service/client/store";
import type { CardSummary } from "../base/types.ts";
import { useMembers } from "../base/use-workspace.ts";
import { Avatar } from "../components/avatar.tsx";
import { ChoiceMenu, peopleOf, type Choice } from "../components/choice-menu.tsx";
import { PriorityIcon } from "../components/icon.tsx";
import { colourClass } from "../components/parts.tsx";
import { DateField } from "./date-field.tsx";

type Props = { board: BoardView; card: CardSummary; cards: BoardStore["cards"] };

/** The list, members, labels, due date, priority and completion of a card. */
export function CardFields({ board, card, cards }: Props) {
  const id = card.publicId;
  return (
    <>
      <Property name="List">
        <ChoiceMenu
          label="List"
          choices={board.lists}
          chosen={[card.listPublicId]}
          isSingle
          isRequired
          onChange={([list]) => list !== undefined && void cards.move(id, { list })}
        >
          {board.lists.find(({ publicId }) => publicId === card.listPublicId)?.name}
        </ChoiceMenu>
      </Property>
      <Property name="Members">
        <MembersField board={board} card={card} cards={cards} />
      </Property>
      <Property name="Labels">
        <LabelsField board={board} card={card} cards={cards} />
      </Property>
      <DateField
        label="Due"
        date={card.dueDate}
        isAllDay={card.isDueAllDay}
        onSave={(dueDate) => void cards.update(id, { dueDate })}
      />
      <Property name="Priority">
        <PriorityField card={card} cards={cards} />
      </Property>
      <label className="property check">
        <span className="property-name">Complete</span>
        <input
          type="checkbox"
          checked={card.isComplete}
          onChange={(event) => void cards.update(id, { isComplete: event.target.checked })}
        />
      </label>
      <OpenWork board={board} id={id} />
    </>
  );
}

/** What is open although the card is complete, on boards that warn about it. */
function OpenWork({ board, id }: { board: BoardView; id: string }) {
  const card = board.lists.flatMap(({ cards }) => cards).find(({ publicId }) => publicId === id);
  if (board.openWorkMode !== "warn" || card?.isComplete !== true) return null;
  const { openBlockers, children } = card;
  const open = children.total - children.completed;
  if (openBlockers + open === 0) return null;
  return (
    <p className="hint" role="status">
      It is complete, and has {openBlockers} open blockers and {open} open parts.
    </p>
  );
}

/** A property of a card: its name, and the field that shows and changes it. */
export const Property = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="property">
    <span className="property-name" aria-hidden>
      {name}
    </span>
    {children}
  </div>
);

/** What is added to what was chosen, and what is taken away. */
function differenceOf(before: readonly string[], after: readonly string[]) {
  return {
    added: after.filter((id) => !before.includes(id)),
    removed: before.filter((id) => !after.includes(id)),
  };
}

function LabelsField({ board, card, cards }: Props) {
  const chosen = card.labels.map(({ publicId }) => publicId);
  return (
    <ChoiceMenu
      label="Labels"
      choices={board.labels.map((label) => ({
        ...label,
        className: `label ${colourClass(label)}`,
      }))}
      chosen={chosen}
      onChange={(next) => {
        const { added, removed } = differenceOf(chosen, next);
        for (const label of added) void cards.addLabel(card.publicId, label);
        for (const label of removed) void cards.removeLabel(card.publicId, label);
      }}
    >
      {card.labels.length === 0 ? (
        <Nothing />
      ) : (
        card.labels.map((label) => (
          <span key={label.publicId} className={`label ${colourClass(label)}`}>
            {label.name}
          </span>
        ))
      )}
    </ChoiceMenu>
  );
}

function MembersField({ board: { workspacePublicId }, card, cards }: Props) {
  const members = useMembers(workspacePublicId) ?? card.members;
  const chosen = card.members.map(({ publicId }) => publicId);
  return (
    <ChoiceMenu
      label="Members"
      choices={peopleOf(members)}
      chosen={chosen}
      onChange={(next) => {
        const { added, removed } = differenceOf(chosen, next);
        for (const { publicId, name, image } of members.filter((one) =>
          added.includes(one.publicId),
        )) {
          void cards.addMember(card.publicId, { publicId, name, image });
        }
        for (const member of removed) void cards.removeMember(card.publicId, member);
      }}
    >
      {card.members.length === 0 ? (
        <Nothing />
      ) : (
        card.members.map((member) => (
          <span key={member.publicId} className="person-chip">
            <Avatar person={member} /> {member.name}
          </span>
        ))
      )}
    </ChoiceMenu>
  );
}

/** What a field without a value shows. */
export const Nothing = () => <span className="nothing">None</span>;

const priorities = ["urgent", "high", "medium", "low", "none"] as const;

/** The priorities, the highest first. */
export const priorityChoices: Choice[] = priorities.map((priority) => ({
  publicId: priority,
  name: priority,
  className: "capital",
  sign: <PriorityIcon priority={priority} />,
}));

const PriorityField = ({ card, cards }: Omit<Props, "board">) => (
  <ChoiceMenu
    label="Priority"
    choices={priorityChoices}
    chosen={[card.priority]}
    isSingle
    isRequired
    onChange={([next]) => {
      const priority = priorities.find((one) => one === next);
      if (priority !== undefined) void cards.update(card.publicId, { priority });
    }}
  >
    {card.priority === "none" ? (
      <Nothing />
    ) : (
      <>
        <PriorityIcon priority={card.priority} /> <span className="capital">{card.priority}</span>
      </>
    )}
  </ChoiceMenu>
);
