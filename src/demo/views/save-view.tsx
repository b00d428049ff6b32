import { useState } from "react";
import type { CardFilter } from "@workspace-board-service/client";
import { useStore } from "@workspace-board-service/client/react";
import { groupFields, type BoardView } from "@workspace-board-service/client/store";
import { open } from "../base/route.ts";
import { messageOf } from "../base/service.ts";
import type { Field } from "../base/types.ts";
import { SelectField } from "../components/choice-menu.tsx";
import { Modal } from "../components/modal.tsx";
import { textOf } from "../components/text-of.ts";
import { useCall } from "../components/use-call.ts";

type Props = { board: BoardView; filter: CardFilter };

/** Saves the filter of a board as a view, and opens it. */
export function SaveView(props: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className="link" onClick={() => setIsOpen(true)}>
        Save as a view
      </button>
      {isOpen && <SaveDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function SaveDialog({ board, filter, onClose }: Props & { onClose: () => void }) {
  const store = useStore();
  const { error, isBusy, run } = useCall();
  const { publicId: boardPublicId, workspacePublicId, fields } = board;
  const save = async (form: HTMLFormElement) => {
    const scope = textOf(form, "scope");
    const { publicId, done } = store.views(workspacePublicId).create({
      name: textOf(form, "name"),
      filter,
      groupBy: { field: textOf(form, "groupBy") },
      layout: textOf(form, "layout") === "table" ? "table" : "board",
      ...(scope === "board"
        ? { scope, boardPublicId }
        : {
            scope: scope === "workspace" ? scope : "private",
            boards: textOf(form, "isOnly") === "" ? null : [boardPublicId],
          }),
    });
    await done;
    open("view", workspacePublicId, publicId);
  };
  return (
    <Modal title="Save as a view" onClose={onClose}>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          run(() => save(form));
        }}
      >
        <label>
          Name
          <input name="name" required autoFocus autoComplete="off" />
        </label>
        <SelectField label="Who sees it" name="scope" choices={scopes} value="private" />
        <SelectField
          label="Group by"
          name="groupBy"
          choices={[...groupings, ...fields.filter(hasOptions).map(asGrouping)]}
          value="list"
        />
        <SelectField label="Show as" name="layout" choices={layouts} value="board" />
        <label className="check">
          <input type="checkbox" name="isOnly" defaultChecked />
          Only cards of this board
        </label>
        <button type="submit" className="primary" disabled={isBusy}>
          Save
        </button>
      </form>
    </Modal>
  );
}

const scopes = [
  ["private", "Only you"],
  ["board", "Everyone on this board"],
  ["workspace", "Everyone in the workspace"],
] as const;

/** What the cards of a view can be grouped by. */
const groupings = groupFields.map(
  (field) => [field, field.charAt(0).toUpperCase() + field.slice(1)] as const,
);

const layouts = [
  ["board", "A board"],
  ["table", "A table"],
] as const;

const hasOptions = ({ type }: Field) => type === "select" || type === "multiSelect";
const asGrouping = ({ publicId, name }: Field) => [`fields.${publicId}`, name] as const;
