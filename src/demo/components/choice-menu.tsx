import { useState, type ReactNode } from "react";
import {
  Autocomplete,
  Button,
  Input,
  Menu,
  MenuItem,
  MenuTrigger,
  Popover,
  SearchField,
  useFilter,
} from "react-aria-components";
import type { Person } from "./avatar.tsx";
import { Avatar } from "./avatar.tsx";

/** Something to choose. */
export type Choice = {
  publicId: string;
  name: string;
  className?: string;
  /** Shown in front of the name. */
  sign?: ReactNode;
};

type Props = {
  label: string;
  /** What the button shows; by default the label, and what or how many are chosen. */
  children?: ReactNode;
  choices: readonly Choice[];
  chosen: readonly string[];
  /** Whether one choice replaces another. */
  isSingle?: boolean | undefined;
  /** Whether something is always chosen. */
  isRequired?: boolean;
  isDisabled?: boolean;
  className?: string;
  onChange: (chosen: string[]) => void;
};

/** A keyboard on the screen would cover the choices. */
const hasKeyboard = () => matchMedia("(pointer: fine)").matches;

/** A button that opens a list of choices with a search. */
export function ChoiceMenu(props: Props) {
  const { label, children, choices, chosen, isSingle = false, isDisabled = false } = props;
  const names = namesOf(choices, chosen);
  const text = names === "" ? label : `${label}: ${isSingle ? names : chosen.length}`;
  const isMarked = names !== "" && children === undefined;
  return (
    <MenuTrigger>
      <Button
        className={`choice ${isMarked ? "chosen" : ""} ${props.className ?? ""}`}
        aria-label={names === "" ? label : `${label}: ${names}`}
        isDisabled={isDisabled}
      >
        <span className="chosen-text">{children ?? text}</span> <span aria-hidden>▾</span>
      </Button>
      <Popover className="popover choices-popover">
        <SearchedMenu {...props} isSingle={isSingle} />
      </Popover>
    </MenuTrigger>
  );
}

function SearchedMenu({ label, choices, chosen, isSingle, isRequired, onChange }: Props) {
  const { contains } = useFilter({ sensitivity: "base" });
  const [isFocused] = useState(hasKeyboard);
  return (
    <Autocomplete filter={contains}>
      <SearchField className="menu-search" aria-label={`Search in ${label}`} autoFocus={isFocused}>
        <Input placeholder="Search" />
      </SearchField>
      <Menu
        className="menu"
        aria-label={label}
        escapeKeyBehavior="none"
        selectionMode={isSingle === true ? "single" : "multiple"}
        disallowEmptySelection={isRequired === true}
        selectedKeys={chosen}
        onSelectionChange={(keys) => keys !== "all" && onChange(Array.from(keys, String))}
        renderEmptyState={() => (
          <p className="hint">{choices.length === 0 ? "Nothing to choose yet." : "Not found."}</p>
        )}
      >
        {choices.map(({ publicId, name, className = "", sign }) => (
          <MenuItem key={publicId} id={publicId} className="item" textValue={name}>
            {({ isSelected }) => (
              <>
                <span className="tick" aria-hidden>
                  {isSelected ? "✓" : ""}
                </span>
                {sign}
                <span className={className}>{name}</span>
              </>
            )}
          </MenuItem>
        ))}
      </Menu>
    </Autocomplete>
  );
}

/** People to choose from, each with their colour. */
export const peopleOf = (people: readonly (Person & { publicId: string })[]): Choice[] =>
  people.map((person) => ({
    publicId: person.publicId,
    name: person.name,
    sign: <Avatar person={person} />,
  }));

/** The names of what is chosen. */
export const namesOf = (choices: readonly Choice[], chosen: readonly string[]): string =>
  choices
    .filter(({ publicId }) => chosen.includes(publicId))
    .map(({ name }) => name)
    .join(", ");

type Field = {
  label: string;
  /** The name of the field in its form. */
  name?: string;
  choices: readonly (readonly [value: string, name: string])[];
  value: string;
  onChange?: (value: string) => void;
};

/** A field of a form, of which one choice is chosen. */
export function SelectField({ label, name, choices, value, onChange }: Field) {
  const [chosen, setChosen] = useState(value);
  const current = onChange === undefined ? chosen : value;
  return (
    <div className="select-field">
      <span aria-hidden>{label}</span>
      <Select label={label} choices={choices} value={current} onChange={onChange ?? setChosen} />
      {name !== undefined && <input type="hidden" name={name} value={current} />}
    </div>
  );
}

type SelectProps = Required<Pick<Field, "label" | "choices" | "value" | "onChange">> & {
  isDisabled?: boolean;
  className?: string;
};

/** A button that shows what is chosen, and opens the choices. */
export function Select({ label, choices, value, onChange, ...more }: SelectProps) {
  return (
    <ChoiceMenu
      label={label}
      choices={choices.map(([publicId, name]) => ({ publicId, name }))}
      chosen={[value]}
      isSingle
      isRequired
      onChange={([next = value]) => onChange(next)}
      {...more}
    >
      {choices.find(([one]) => one === value)?.[1]}
    </ChoiceMenu>
  );
}
