import type { BoardView } from "@workspace-board-service/client/store";
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { colourClass } from "../components/parts.tsx";
import { useMembers } from "../workspace/use-workspace.ts";
import { periods, type Filter } from "./use-filter.ts";

type Choice = { publicId: string; name: string; className?: string };
type ChoiceMenuProps = {
  label: string;
  choices: readonly Choice[];
  chosen: readonly string[];
  /** Whether one choice replaces another. */
  isSingle?: boolean;
  onChange: (chosen: string[]) => void;
};

/** A button that opens a menu of choices. */
function ChoiceMenu({ label, choices, chosen, isSingle = false, onChange }: ChoiceMenuProps) {
  const only = isSingle ? choices.find(({ publicId }) => publicId === chosen[0])?.name : undefined;
  const text = only ?? (chosen.length === 0 ? label : `${label}: ${chosen.length}`);
  return (
    <MenuTrigger>
      <Button className={chosen.length === 0 ? "choice" : "choice chosen"} aria-label={label}>
        {text} <span aria-hidden>▾</span>
      </Button>
      <Popover className="popover">
        <Menu
          className="menu"
          aria-label={label}
          selectionMode={isSingle ? "single" : "multiple"}
          selectedKeys={chosen}
          onSelectionChange={(keys) => keys !== "all" && onChange(Array.from(keys, String))}
          renderEmptyState={() => <p className="hint">Nothing to choose yet.</p>}
        >
          {choices.map(({ publicId, name, className = "" }) => (
            <MenuItem key={publicId} id={publicId} className="item" textValue={name}>
              {({ isSelected }) => (
                <>
                  <span className="tick" aria-hidden>
                    {isSelected ? "✓" : ""}
                  </span>
                  <span className={className}>{name}</span>
                </>
              )}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

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
