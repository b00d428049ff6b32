import type { ReactNode } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";

/** Something to choose. */
export type Choice = { publicId: string; name: string; className?: string };

type Props = {
  label: string;
  /** What the button shows; by default the label, and what or how many are chosen. */
  children?: ReactNode;
  choices: readonly Choice[];
  chosen: readonly string[];
  /** Whether one choice replaces another. */
  isSingle?: boolean | undefined;
  onChange: (chosen: string[]) => void;
};

/** A button that opens a menu of choices. */
export function ChoiceMenu(props: Props) {
  const { label, children, choices, chosen, isSingle = false, onChange } = props;
  const names = namesOf(choices, chosen);
  const text = names === "" ? label : `${label}: ${isSingle ? names : chosen.length}`;
  return (
    <MenuTrigger>
      <Button
        className={names === "" || children !== undefined ? "choice" : "choice chosen"}
        aria-label={names === "" ? label : `${label}: ${names}`}
      >
        {children ?? text} <span aria-hidden>▾</span>
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

/** The names of what is chosen. */
export const namesOf = (choices: readonly Choice[], chosen: readonly string[]): string =>
  choices
    .filter(({ publicId }) => chosen.includes(publicId))
    .map(({ name }) => name)
    .join(", ");
