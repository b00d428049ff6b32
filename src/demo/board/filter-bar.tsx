import { useState, type ReactNode } from "react";
import type { BoardView } from "@workspace-board-service/client/store";
import { ActionMenu } from "../components/action-menu.tsx";
import { ChoiceMenu, namesOf } from "../components/choice-menu.tsx";
import { SaveView } from "../views/save-view.tsx";
import { useMembers } from "../base/use-workspace.ts";
import {
  fieldParts,
  textPart,
  usualParts,
  valuesOf,
  type Chosen,
  type FilterPart,
} from "./filter-parts.ts";
import type { Filter } from "./use-filter.ts";

type Props = {
  board: BoardView;
  filter: Filter;
  /** Whether the filter shows on a phone, too. */
  isOpen: boolean;
};

/** Chooses the cards that the board shows. */
export function FilterBar({ board, filter, isOpen }: Props) {
  const { chosen, change, tree } = filter;
  const members = useMembers(board.workspacePublicId) ?? [];
  const [added, setAdded] = useState<readonly string[]>([]);
  const usual = usualParts(board, members);
  const others = fieldParts(board, members);
  const shown = others.filter(({ key }) => added.includes(key) || chosen[key] !== undefined);
  const hidden = others.filter((part) => !shown.includes(part));
  const clear = () => {
    setAdded([]);
    filter.clear();
  };
  return (
    <div role="search" className="filter-bar">
      <div className={isOpen ? "filters open" : "filters"} id="filters">
        <input
          type="search"
          aria-label="Filter cards"
          aria-keyshortcuts="/"
          placeholder="Filter cards"
          value={chosen["text"]?.[0] ?? ""}
          onChange={({ target: { value } }) => change("text", value === "" ? [] : [value])}
        />
        {[...usual, ...shown].map((part) => (
          <PartInput key={part.key} part={part} chosen={chosen[part.key]} onChange={change} />
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
      <Chips parts={[textPart, ...usual, ...others]} chosen={chosen} onChange={change}>
        <button type="button" className="link" onClick={clear}>
          Clear
        </button>
        {tree !== undefined && <SaveView board={board} filter={tree} />}
      </Chips>
    </div>
  );
}

type Change = Filter["change"];
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

type ChipsProps = {
  parts: readonly FilterPart[];
  chosen: Chosen;
  onChange: Change;
  children: ReactNode;
};

/** What is chosen, each with a button that removes it. */
function Chips({ parts, chosen, onChange, children }: ChipsProps) {
  const conditions = parts
    .map((part) => ({ ...part, values: valuesOf(part, chosen) }))
    .filter(({ values }) => values.length > 0);
  if (conditions.length === 0) return null;
  return (
    <ul className="chips" aria-label="Conditions">
      {conditions.map(({ key, name, choices, values }) => {
        const value = choices === undefined ? values[0] : namesOf(choices, values) || "something";
        const text = `${name}: ${value}`;
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
