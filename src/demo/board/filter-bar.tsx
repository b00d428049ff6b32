import type { BoardView } from "@workspace-board-service/client/store";
import { ChoiceMenu } from "../components/choice-menu.tsx";
import { colourClass } from "../components/parts.tsx";
import { useMembers } from "../workspace/use-workspace.ts";
import { periods, type Filter } from "./use-filter.ts";

type Props = {
  board: BoardView;
  filter: Filter;
  onChange: (part: Partial<Filter>) => void;
  onClear: () => void;
};

/** Chooses the cards that the board shows. */
export function FilterBar({ board, filter, onChange, onClear }: Props) {
  const members = useMembers(board.workspacePublicId);
  const { text, labels, members: assigned, due } = filter;
  const isAll = text === "" && labels.length + assigned.length === 0 && due === "";
  const named = board.labels.map((label) => ({
    publicId: label.publicId,
    name: label.name,
    className: `label ${colourClass(label)}`,
  }));
  return (
    <div className="filters" role="search">
      <input
        type="search"
        aria-label="Filter cards"
        placeholder="Filter cards"
        value={text}
        onChange={(event) => onChange({ text: event.target.value })}
      />
      <ChoiceMenu
        label="Labels"
        choices={named}
        chosen={labels}
        onChange={(next) => onChange({ labels: next })}
      />
      <ChoiceMenu
        label="Members"
        choices={members ?? []}
        chosen={assigned}
        onChange={(next) => onChange({ members: next })}
      />
      <ChoiceMenu
        label="Due"
        choices={periods}
        chosen={due === "" ? [] : [due]}
        isSingle
        onChange={([next = ""]) => onChange({ due: next })}
      />
      {!isAll && (
        <button type="button" className="link" onClick={onClear}>
          Clear
        </button>
      )}
    </div>
  );
}
