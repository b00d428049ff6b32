import type { ReactNode } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";

/** An entry of a menu. */
export type Action = { name: string; run: () => void; isDangerous?: boolean };

type Props = {
  label: string;
  /** What the button shows; by default three dots. */
  children?: ReactNode;
  actions: readonly (Action | false)[];
};

/** A button that opens a menu. */
export function ActionMenu({ label, children = "⋯", actions }: Props) {
  return (
    <MenuTrigger>
      <Button className={children === "⋯" ? "icon" : "quiet"} aria-label={label}>
        {children}
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={label}>
          {actions
            .filter((action) => action !== false)
            .map(({ name, run, isDangerous = false }) => (
              <MenuItem
                key={name}
                id={name}
                className={isDangerous ? "item danger" : "item"}
                onAction={run}
              >
                {name}
              </MenuItem>
            ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
