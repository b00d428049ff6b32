import { useState } from "react";
import { useStore } from "@workspace-board-service/client/react";
import type { BoardView, LabelView } from "@workspace-board-service/client/store";
import { Modal } from "../components/modal.tsx";
import { RowButtons } from "../components/row-buttons.tsx";
import { colourClass, colours } from "../components/parts.tsx";
import { textOf } from "../components/text-of.ts";

/** The labels of a board, to make, change and delete. */
export function LabelsDialog({ board, onClose }: { board: BoardView; onClose: () => void }) {
  const { labels } = useStore().board(board.publicId);
  const [edited, setEdited] = useState("");
  return (
    <Modal title="Labels" onClose={onClose}>
      <ul className="rows">
        {board.labels.map((label) => (
          <li key={label.publicId}>
            {edited === label.publicId ? (
              <LabelForm
                label={label}
                button="Save"
                onSave={(fields) => {
                  void labels.update(label.publicId, fields);
                  setEdited("");
                }}
              />
            ) : (
              <>
                <span className={`label ${colourClass(label)}`}>{label.name}</span>
                <RowButtons
                  name={label.name}
                  onEdit={() => setEdited(label.publicId)}
                  onDelete={() => void labels.delete(label.publicId)}
                />
              </>
            )}
          </li>
        ))}
      </ul>
      <h3>New label</h3>
      <LabelForm
        key={board.labels.length}
        button="Add the label"
        onSave={(fields) => void labels.create(fields)}
      />
    </Modal>
  );
}

type Fields = { name: string; colourCode: string };
type Form = { label?: LabelView; button: string; onSave: (fields: Fields) => void };

function LabelForm({ label, button, onSave }: Form) {
  const chosen = label?.colourCode ?? colours[5][1];
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const name = textOf(form, "name").trim();
        if (name !== "") onSave({ name, colourCode: textOf(form, "colour") || chosen });
      }}
    >
      <input
        name="name"
        aria-label={label === undefined ? "Name of the new label" : `Name of ${label.name}`}
        placeholder="Name"
        defaultValue={label?.name}
        required
        autoComplete="off"
      />
      <fieldset className="swatches">
        <legend>Colour</legend>
        {colours.map(([name, colourCode]) => (
          <input
            key={name}
            type="radio"
            name="colour"
            value={colourCode}
            aria-label={name}
            title={name}
            className={`swatch ${colourClass({ colourCode })}`}
            defaultChecked={colourClass({ colourCode }) === colourClass({ colourCode: chosen })}
          />
        ))}
      </fieldset>
      <button type="submit" className="primary">
        {button}
      </button>
    </form>
  );
}
