import { messageOf } from "../base/service.ts";
import { Modal } from "./modal.tsx";
import { textOf } from "./text-of.ts";
import { useCall } from "./use-call.ts";

type Rename = { title: string; value: string; onSave: (text: string) => unknown };

/** Asks for another name. */
export function RenameDialog({ title, value, onSave, onClose }: Rename & { onClose: () => void }) {
  return (
    <Modal title={title} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const name = textOf(event.currentTarget, "name").trim();
          if (name === "") return;
          if (name !== value) onSave(name);
          onClose();
        }}
      >
        <label>
          Name
          <input name="name" defaultValue={value} autoFocus required autoComplete="off" />
        </label>
        <button type="submit" className="primary">
          Save
        </button>
      </form>
    </Modal>
  );
}

type Confirm = {
  title: string;
  text: string;
  button: string;
  onConfirm: () => unknown;
  onClose: () => void;
};

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ title, text, button, onConfirm, onClose }: Confirm) {
  const { error, isBusy, run } = useCall();
  return (
    <Modal title={title} onClose={onClose} isAlert>
      <p>{text}</p>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <p className="buttons">
        <button type="button" autoFocus onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="primary dangerous"
          disabled={isBusy}
          onClick={() => run(async () => onConfirm(), onClose)}
        >
          {button}
        </button>
      </p>
    </Modal>
  );
}
