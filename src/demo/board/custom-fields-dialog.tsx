import { useState } from "react";
import { useStore } from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import type { Field } from "../base/types.ts";
import { Modal } from "../components/modal.tsx";
import { RowButtons } from "../components/row-buttons.tsx";
import { textOf } from "../components/text-of.ts";
import { newOption, OptionList, type DraftOption } from "./option-list.tsx";
import { SelectField } from "../components/choice-menu.tsx";

/** What each type of field is called. */
const types: Record<Field["type"], string> = {
  text: "Text",
  number: "Number",
  date: "Date",
  checkbox: "Checkbox",
  select: "One option",
  multiSelect: "Several options",
  member: "Member",
  url: "Link",
};

type Changes = Pick<Field, "name" | "type" | "unit" | "isShownOnCard"> & {
  options: DraftOption[];
};

const hasOptions = (type: Field["type"]) => type === "select" || type === "multiSelect";

/** What a call sets: only numbers have a unit, and only some types options. */
const inputOf = ({ name, type, unit, isShownOnCard, options }: Changes) => ({
  name,
  isShownOnCard,
  ...(type === "number" ? { unit } : {}),
  ...(hasOptions(type) ? { options: options.map(optionInput) } : {}),
});

const optionInput = ({ publicId, name, colourCode }: DraftOption) => ({
  name,
  colourCode,
  ...(publicId === undefined ? {} : { publicId }),
});

/** The custom fields of a board, to add, change, sort and delete. */
export function CustomFieldsDialog({ board, onClose }: { board: BoardView; onClose: () => void }) {
  const { fields } = useStore().board(board.publicId);
  const [edited, setEdited] = useState("");
  return (
    <Modal title="Custom fields" onClose={onClose}>
      <ol className="rows">
        {board.fields.map((field, nth) => {
          const { publicId, name } = field;
          return (
            <li key={publicId}>
              {edited === publicId ? (
                <FieldForm
                  field={field}
                  button="Save"
                  onSave={(changes) => {
                    fields.update(publicId, inputOf(changes));
                    setEdited("");
                  }}
                />
              ) : (
                <>
                  <span>
                    {name} <small>{types[field.type]}</small>
                  </span>
                  <RowButtons
                    name={name}
                    onEdit={() => setEdited(publicId)}
                    onDelete={() => void fields.delete(publicId)}
                  >
                    {nth > 0 && (
                      <button
                        type="button"
                        className="icon"
                        aria-label={`Move ${name} up`}
                        onClick={() => void fields.update(publicId, { index: nth - 1 })}
                      >
                        ↑
                      </button>
                    )}
                  </RowButtons>
                </>
              )}
            </li>
          );
        })}
      </ol>
      <h3>New field</h3>
      <FieldForm
        key={board.fields.length}
        button="Add the field"
        onSave={(changes) => void fields.create({ ...inputOf(changes), type: changes.type })}
      />
    </Modal>
  );
}

type Form = {
  field?: Field;
  button: string;
  onSave: (changes: Changes) => void;
};

/** The parts of a field. The type of a field that exists never changes. */
function FieldForm({ field, button, onSave }: Form) {
  const [type, setType] = useState<Field["type"]>(field?.type ?? "text");
  const [options, setOptions] = useState<DraftOption[]>(
    () => field?.options.map((option) => ({ ...option, key: option.publicId })) ?? [newOption()],
  );
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        onSave({
          name: textOf(form, "name"),
          type,
          unit: textOf(form, "unit") || null,
          isShownOnCard: textOf(form, "isShownOnCard") !== "",
          options: options.filter(({ name }) => name.trim() !== ""),
        });
      }}
    >
      <label>
        Name
        <input name="name" defaultValue={field?.name} required autoComplete="off" />
      </label>
      {field === undefined && (
        <SelectField
          label="Type"
          choices={Object.entries(types)}
          value={type}
          onChange={(next) => setType(next as Field["type"])}
        />
      )}
      {type === "number" && (
        <label>
          Unit
          <input name="unit" defaultValue={field?.unit ?? ""} maxLength={32} autoComplete="off" />
        </label>
      )}
      {hasOptions(type) && <OptionList options={options} onChange={setOptions} />}
      <label className="check">
        <input type="checkbox" name="isShownOnCard" defaultChecked={field?.isShownOnCard ?? true} />
        Show on cards
      </label>
      <button type="submit" className="primary">
        {button}
      </button>
    </form>
  );
}
