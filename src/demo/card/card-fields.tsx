import type { BoardStore, BoardView } from "@workspace-board-service/client/store";
import { DateField } from "./date-field.tsx";
import { colourClass, Choices } from "../components/parts.tsx";
import type { CardSummary } from "../base/types.ts";

type Props = { board: BoardView; card: CardSummary; cards: BoardStore["cards"] };

/** The list, due date, completion and labels of a card. */
export function CardFields({ board, card, cards }: Props) {
  const id = card.publicId;
  const used = new Set(card.labels.map(({ publicId }) => publicId));
  return (
    <>
      <div className="fields">
        <label>
          List
          <select
            value={card.listPublicId}
            onChange={(event) => void cards.move(id, { list: event.target.value })}
          >
            <Choices of={board.lists.map(({ publicId, name }) => [publicId, name])} />
          </select>
        </label>
        <DateField
          label="Due"
          date={card.dueDate}
          onSave={(dueDate) => void cards.update(id, { dueDate })}
        />
        <PriorityField card={card} cards={cards} />
        <label className="check">
          <input
            type="checkbox"
            checked={card.isComplete}
            onChange={(event) => void cards.update(id, { isComplete: event.target.checked })}
          />
          Complete
        </label>
      </div>
      {board.labels.length > 0 && (
        <fieldset className="choices">
          <legend>Labels</legend>
          {board.labels.map((label) => (
            <label key={label.publicId} className={`label ${colourClass(label)}`}>
              <input
                type="checkbox"
                checked={used.has(label.publicId)}
                onChange={({ target: { checked } }) => {
                  if (checked) void cards.addLabel(id, label.publicId);
                  else void cards.removeLabel(id, label.publicId);
                }}
              />
              {label.name}
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

const priorities: CardSummary["priority"][] = ["none", "low", "medium", "high", "urgent"];

const PriorityField = ({ card, cards }: Omit<Props, "board">) => (
  <label>
    Priority
    <select
      value={card.priority}
      onChange={({ target: { selectedIndex } }) =>
        void cards.update(card.publicId, { priority: priorities[selectedIndex] })
      }
    >
      {priorities.map((priority) => (
        <option key={priority}>{priority}</option>
      ))}
    </select>
  </label>
);
