import { Modal } from "../components/modal.tsx";
import { textOf } from "../components/text-of.ts";
import type { List } from "../base/types.ts";
import { SelectField } from "../components/choice-menu.tsx";

/** What a list does when it has more cards than its limit. */
const modes: Record<List["wipMode"], string> = {
  warn: "Shows it",
  block: "Refuses more cards",
  off: "Does nothing",
};

type Limit = Pick<List, "wipLimit" | "wipMode">;
type Props = { list: List; onSave: (limit: Limit) => void; onClose: () => void };

/** Asks how many cards a list may have. */
export function LimitDialog({ list, onSave, onClose }: Props) {
  return (
    <Modal title={`Limit of ${list.name}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          onSave({
            wipLimit: Number(textOf(form, "limit")) || null,
            wipMode: textOf(form, "mode") as List["wipMode"],
          });
          onClose();
        }}
      >
        <label>
          Most cards
          <input
            name="limit"
            type="number"
            min={1}
            max={1000}
            placeholder="No limit"
            defaultValue={list.wipLimit ?? ""}
            autoFocus
          />
        </label>
        <SelectField
          label="A full list"
          name="mode"
          choices={Object.entries(modes)}
          value={list.wipMode}
        />
        <button type="submit" className="primary">
          Save
        </button>
      </form>
    </Modal>
  );
}
