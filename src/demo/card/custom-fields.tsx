import type { BoardView } from "@workspace-board-service/client/store";
import type { Card, Field, FieldValue } from "../base/types.ts";
import { ChoiceMenu, peopleOf } from "../components/choice-menu.tsx";
import { Nothing, Property } from "./card-fields.tsx";
import { Options } from "./field-values.tsx";
import { colourClass } from "../components/parts.tsx";
import { useDraft } from "../components/use-draft.ts";
import { useMembers } from "../base/use-workspace.ts";
import { DateField } from "./date-field.tsx";

type Props = {
  board: BoardView;
  values: Card["fields"];
  onSave: (values: Record<string, FieldValue | null>) => void;
};

/** The custom fields of a card, each edited as its type needs it. */
export function CustomFields({ board, values, onSave }: Props) {
  const members = useMembers(board.workspacePublicId);
  if (board.fields.length === 0) return null;
  return (
    <div className="custom-fields" role="group" aria-label="Custom fields">
      {board.fields.map((field) => (
        <FieldInput
          key={field.publicId}
          field={field}
          members={members ?? []}
          value={values[field.publicId]}
          onSave={(value) => onSave({ [field.publicId]: value })}
        />
      ))}
    </div>
  );
}

type Input = {
  field: Field;
  value: FieldValue | undefined;
  /** Null clears the value. */
  onSave: (value: FieldValue | null) => void;
};

type Members = readonly { publicId: string; name: string }[];

function FieldInput({ field, members, value, onSave }: Input & { members: Members }) {
  switch (field.type) {
    case "checkbox":
      return (
        <label className="property check">
          <span className="property-name">{field.name}</span>
          <input
            type="checkbox"
            checked={value === true}
            onChange={({ target }) => onSave(target.checked)}
          />
        </label>
      );
    case "date":
      return (
        <DateField
          label={field.name}
          date={typeof value === "string" ? value : null}
          isAllDay={typeof value === "string" && !value.includes("T")}
          onSave={onSave}
        />
      );
    case "select":
    case "multiSelect":
    case "member":
      return <ChoiceField field={field} members={members} value={value} onSave={onSave} />;
    default:
      return <TypedField field={field} type={field.type} value={value} onSave={onSave} />;
  }
}

function ChoiceField({ field, members, value, onSave }: Parameters<typeof FieldInput>[0]) {
  const { name, type, options } = field;
  const isSingle = type !== "multiSelect";
  const chosen = value === undefined ? [] : Array.isArray(value) ? value : [String(value)];
  const choices =
    type === "member"
      ? peopleOf(members)
      : options.map((option) => ({ ...option, className: `label ${colourClass(option)}` }));
  const shown =
    type === "member" ? (
      members.find(({ publicId }) => publicId === value)?.name
    ) : (
      <Options field={field} value={value} />
    );
  return (
    <Property name={name}>
      <ChoiceMenu
        label={name}
        choices={choices}
        chosen={chosen}
        isSingle={isSingle}
        onChange={(next) => onSave(isSingle ? (next[0] ?? null) : next)}
      >
        {chosen.length === 0 ? <Nothing /> : shown}
      </ChoiceMenu>
    </Property>
  );
}

type Typed = Input & { type: "text" | "number" | "url" };

/** A text, number or URL, which is saved when the field is left. */
function TypedField({ field: { name, unit }, type, value, onSave }: Typed) {
  const { text, change, save } = useDraft(String(value ?? ""), (edited) => {
    const next = edited.trim();
    onSave(next === "" ? null : type === "number" ? Number(next) : next);
  });
  return (
    <div className="property">
      <label>
        <span className="property-name">{unit === null ? name : `${name} (${unit})`}</span>
        <input
          type={type}
          step="any"
          value={text}
          placeholder="None"
          autoComplete="off"
          onChange={({ target }) => target.validity.badInput || change(target.value)}
          onBlur={save}
          onKeyDown={({ key, currentTarget }) => key === "Enter" && currentTarget.blur()}
        />
      </label>
      {type === "url" && <SafeLink name={name} url={text} />}
    </div>
  );
}

/** A link to another site, which learns nothing of this page. */
function SafeLink({ name, url }: { name: string; url: string }) {
  if (!/^https?:\/\//i.test(url)) return null;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" aria-label={`Open ${name}`}>
      ↗
    </a>
  );
}
