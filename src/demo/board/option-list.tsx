import { newPublicId } from "@workspace-board-service/client";
import type { Field } from "../base/types.ts";
import { ChoiceMenu, namesOf } from "../components/choice-menu.tsx";
import { colourClass, colours } from "../components/parts.tsx";

/** An option of a field that is edited; a new one has no id yet. */
export type DraftOption = Omit<Field["options"][number], "publicId"> & {
  key: string;
  publicId?: string;
};

/** An option without a name. */
export const newOption = (): DraftOption => ({ key: newPublicId(), name: "", colourCode: null });

type Props = { options: DraftOption[]; onChange: (options: DraftOption[]) => void };

/** The options of a field in their order. What is removed is also removed from cards. */
export function OptionList({ options, onChange }: Props) {
  return (
    <fieldset className="options">
      <legend>Options</legend>
      {options.map((option, nth) => {
        const others = options.filter(({ key }) => key !== option.key);
        const name = option.name || `option ${nth + 1}`;
        const change = (part: Partial<DraftOption>) =>
          onChange(options.with(nth, { ...option, ...part }));
        return (
          <p key={option.key}>
            <input
              aria-label={`Name of option ${nth + 1}`}
              placeholder="Name"
              value={option.name}
              onChange={({ target }) => change({ name: target.value })}
            />
            <ColourSelect
              label={`Colour of ${name}`}
              value={option.colourCode}
              onChange={(colourCode) => change({ colourCode })}
            />
            <button
              type="button"
              className="icon"
              aria-label={`Move ${name} up`}
              disabled={nth === 0}
              onClick={() => onChange(others.toSpliced(nth - 1, 0, option))}
            >
              ↑
            </button>
            <button
              type="button"
              className="icon"
              aria-label={`Remove ${name}`}
              onClick={() => onChange(others)}
            >
              ✕
            </button>
          </p>
        );
      })}
      <button type="button" onClick={() => onChange([...options, newOption()])}>
        Add an option
      </button>
    </fieldset>
  );
}

type Colour = { label: string; value: string | null; onChange: (value: string | null) => void };

const noColour = "none";

function ColourSelect({ label, value, onChange }: Colour) {
  // Other applications have other colours.
  const isOther = value !== null && !colours.some(([, code]) => code === value);
  const choices = [
    { publicId: noColour, name: "No colour" },
    ...(isOther ? [{ publicId: value, name: "Other" }] : []),
    ...colours.map(([name, publicId]) => ({
      publicId,
      name,
      className: `label ${colourClass({ colourCode: publicId })}`,
    })),
  ];
  const chosen = [value ?? noColour];
  return (
    <ChoiceMenu
      label={label}
      choices={choices}
      chosen={chosen}
      isSingle
      isRequired
      onChange={([next]) => onChange(next === undefined || next === noColour ? null : next)}
    >
      <span className={`label ${colourClass({ colourCode: value })}`}>
        {namesOf(choices, chosen)}
      </span>
    </ChoiceMenu>
  );
}
