import { useState } from "react";

type Props = {
  label: string;
  value: string;
  id?: string;
  className?: string;
  isRequired?: boolean;
  onSave: (value: string) => void;
};

/** A text that is saved when it loses the focus. Changes by others show until it is edited. */
export function EditableText({ label, value, id, className, isRequired = false, onSave }: Props) {
  const [draft, setDraft] = useState<{ of: string; text: string }>();
  // Another value from the service ends an edit.
  const text = draft?.of === value ? draft.text : value;
  const save = () => {
    const next = text.trim();
    if (next !== value && (next !== "" || !isRequired)) onSave(next);
    setDraft(undefined);
  };
  return (
    <textarea
      id={id}
      className={`editable ${className ?? ""}`}
      aria-label={label}
      placeholder={label}
      rows={Math.max(1, text.split("\n").length)}
      value={text}
      onChange={(event) => setDraft({ of: value, text: event.target.value })}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (isRequired || event.ctrlKey)) event.currentTarget.blur();
      }}
    />
  );
}
