import type { ReactNode } from "react";
import {
  Button,
  Menu,
  MenuItem,
  MenuTrigger,
  Popover,
  SubmenuTrigger,
} from "react-aria-components";

/** An entry of a menu: it does something, or opens more entries. */
export type Action = { name: string; id?: string; isDangerous?: boolean } & (
  | { run: () => void }
  | { actions: readonly Action[] }
);

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
        <Entries label={label} actions={actions.filter((action) => action !== false)} />
      </Popover>
    </MenuTrigger>
  );
}

const Entries = ({ label, actions }: { label: string; actions: readonly Action[] }) => (
  <Menu className="menu" aria-label={label}>
    {actions.map((action) =>
      "run" in action ? (
        <Entry key={action.id ?? action.name} action={action} onAction={action.run} />
      ) : (
        <SubmenuTrigger key={action.name}>
          <Entry action={action} />
          <Popover className="popover">
            <Entries label={action.name} actions={action.actions} />
          </Popover>
        </SubmenuTrigger>
      ),
    )}
  </Menu>
);

type EntryProps = { action: Action; onAction?: () => void };

const Entry = ({ action, onAction }: EntryProps) => (
  <MenuItem
    id={action.id ?? action.name}
    className={action.isDangerous === true ? "item danger" : "item"}
    textValue={action.name}
    {...(onAction === undefined ? {} : { onAction })}
  >
    <span className="item-name">{action.name}</span>
    {onAction === undefined && <span aria-hidden>›</span>}
  </MenuItem>
);
