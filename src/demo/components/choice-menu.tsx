import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";

type Choice = { publicId: string; name: string; className?: string };
type Props = {
  label: string;
  choices: readonly Choice[];
  chosen: readonly string[];
  /** Whether one choice replaces another. */
  isSingle?: boolean;
  onChange: (chosen: string[]) => void;
};

/** A button that opens a menu of choices. */
export function ChoiceMenu({ label, choices, chosen, isSingle = false, onChange }: Props) {
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
