import { useState } from "react";
import type { CardFilter } from "@workspace-board-service/client";
import type { BoardView } from "@workspace-board-service/client/store";
import { open } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";
import type { Field } from "../base/types.ts";
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
  const { error, isBusy, run } = useCall();
  const { publicId: boardPublicId, workspacePublicId, fields } = board;
  const save = async (form: HTMLFormElement) => {
    const scope = textOf(form, "scope");
    const { publicId } = await boards.view.create({
      workspacePublicId,
      name: textOf(form, "name"),
      filter,
      groupBy: { field: textOf(form, "groupBy") },
      ...(scope === "board"
        ? { scope, boardPublicId }
        : {
            scope: scope === "workspace" ? scope : "private",
            boards: textOf(form, "isOnly") === "" ? null : [boardPublicId],
          }),
    });
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
        <label>
          Who sees it
          <select name="scope">
            <option value="private">Only you</option>
            <option value="board">Everyone on this board</option>
            <option value="workspace">Everyone in the workspace</option>
          </select>
        </label>
        <GroupBy fields={fields} />
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

/** What the cards of a view can be grouped by. */
const groupings = [
  ["list", "List"],
  ["label", "Label"],
  ["member", "Member"],
  ["priority", "Priority"],
  ["due", "Due"],
];

function GroupBy({ fields }: { fields: readonly Field[] }) {
  const others = fields.filter(({ type }) => type === "select" || type === "multiSelect");
  return (
    <label>
      Group by
      <select name="groupBy">
        {groupings.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
        {others.map(({ publicId, name }) => (
          <option key={publicId} value={`fields.${publicId}`}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
