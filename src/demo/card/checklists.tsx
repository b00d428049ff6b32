import { useState } from "react";
import type { BoardStore, CardDetail } from "@workspace-board-service/client/store";
import { NameForm } from "../components/name-form.tsx";

type Props = { card: CardDetail; checklists: BoardStore["checklists"] };

/** The checklists of a card. */
export function Checklists({ card, checklists }: Props) {
  const id = card.publicId;
  return (
    <>
      {card.checklists.map(({ publicId, name, items }) => (
        <section key={publicId} aria-label={name}>
          <h3>
            {name}{" "}
            <small>
              {items.filter(({ isComplete }) => isComplete).length}/{items.length}
            </small>
          </h3>
          <ul className="items">
            {items.map((item) => (
              <li key={item.publicId}>
                <label className="check">
                  <input
                    type="checkbox"
                    checked={item.isComplete}
                    onChange={(event) =>
                      void checklists.updateItem(id, item.publicId, {
                        isComplete: event.target.checked,
                      })
                    }
                  />
                  {item.title}
                </label>
                <button
                  type="button"
                  className="icon"
                  aria-label={`Delete ${item.title}`}
                  onClick={() => void checklists.deleteItem(id, item.publicId)}
                >
                  ✕
                </button>
              </li>
            ))}
          </ul>
          <NameForm
            label={`New item in ${name}`}
            onSubmit={(title) => void checklists.addItem(id, publicId, title)}
          />
        </section>
      ))}
      <NewChecklist onAdd={(name) => void checklists.create(id, { name })} />
    </>
  );
}

function NewChecklist({ onAdd }: { onAdd: (name: string) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen) {
    return (
      <button type="button" className="quiet add" onClick={() => setIsOpen(true)}>
        + Add a checklist
      </button>
    );
  }
  return (
    <NameForm
      label="New checklist"
      isFocused
      onSubmit={(name) => {
        onAdd(name);
        setIsOpen(false);
      }}
    />
  );
}
