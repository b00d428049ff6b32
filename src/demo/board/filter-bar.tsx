import { useState, type ReactNode } from "react";
import type { CardFilter } from "@workspace-board-service/client";
import type { BoardView } from "@workspace-board-service/client/store";
import { ActionMenu } from "../components/action-menu.tsx";
import { ChoiceMenu, namesOf } from "../components/choice-menu.tsx";
import { SaveView } from "../views/save-view.tsx";
import { useMembers } from "../base/use-workspace.ts";
import { fieldParts, usualParts, type Filter, type FilterPart } from "./filter-parts.ts";

type Change = (key: string, chosen: readonly string[]) => void;
type Props = {
  board: BoardView;
  filter: Filter;
  /** The filter as the service reads it. */
  tree: CardFilter | undefined;
  onChange: Change;
  onClear: () => void;
};

/** Chooses the cards that the board shows. */
export function FilterBar({ board, filter, tree, onChange, onClear }: Props) {
  const members = useMembers(board.workspacePublicId) ?? [];
  const [added, setAdded] = useState<readonly string[]>([]);
  const usual = usualParts(board, members);
  const others = fieldParts(board, members);
  const shown = others.filter(({ key }) => added.includes(key) || filter[key] !== undefined);
  const hidden = others.filter((part) => !shown.includes(part));
  const clear = () => {
    setAdded([]);
    onClear();
  };
  return (
    <div role="search">
      <div className="filters">
        <input
          type="search"
          aria-label="Filter cards"
          placeholder="Filter cards"
          value={filter["text"]?.[0] ?? ""}
          onChange={({ target: { value } }) => onChange("text", value === "" ? [] : [value])}
        />
        {[...usual, ...shown].map((part) => (
          <PartInput key={part.key} part={part} chosen={filter[part.key]} onChange={onChange} />
        ))}
        {hidden.length > 0 && (
          <ActionMenu
            label="Filter by a field"
            actions={hidden.map(({ key, name }) => ({
              name,
              run: () => setAdded([...added, key]),
            }))}
          >
            Fields ▾
          </ActionMenu>
        )}
      </div>
      <Chips parts={[...usual, ...others]} filter={filter} onChange={onChange}>
        <button type="button" className="link" onClick={clear}>
          Clear
        </button>
        {tree !== undefined && <SaveView board={board} filter={tree} />}
      </Chips>
    </div>
  );
}

type PartProps = { part: FilterPart; chosen: readonly string[] | undefined; onChange: Change };

function PartInput({ part, chosen = [], onChange }: PartProps) {
  const { key, name, choices, isSingle, isNumber } = part;
  const change = (next: readonly string[]) => onChange(key, next);
  if (choices !== undefined) {
    return (
      <ChoiceMenu
        label={name}
        choices={choices}
        chosen={chosen}
        isSingle={isSingle}
        onChange={change}
      />
    );
  }
  return (
    <input
      type={isNumber === true ? "number" : "search"}
      step="any"
      aria-label={name}
      placeholder={name}
      value={chosen[0] ?? ""}
      onChange={({ target: { value } }) => change(value === "" ? [] : [value])}
    />
  );
}

type ChipsProps = Pick<Props, "filter" | "onChange"> & {
  parts: readonly FilterPart[];
  children: ReactNode;
};

/** What is chosen, each with a button that removes it. */
function Chips({ parts, filter, onChange, children }: ChipsProps) {
  if (Object.keys(filter).length === 0) return null;
  return (
    <ul className="chips" aria-label="Conditions">
      {parts.map(({ key, name, choices }) => {
        const chosen = filter[key];
        if (chosen === undefined) return null;
        const text = `${name}: ${choices === undefined ? chosen[0] : namesOf(choices, chosen)}`;
        return (
          <li key={key}>
            {text}
            <button
              type="button"
              className="icon"
              aria-label={`Remove ${text}`}
              onClick={() => onChange(key, [])}
            >
              ✕
            </button>
          </li>
        );
      })}
      <li>{children}</li>
    </ul>
  );
}
