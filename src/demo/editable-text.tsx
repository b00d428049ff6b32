import { useDraft } from "./use-draft.ts";

type Props = {
  label: string;
  value: string;
  id?: string;
  className?: string;
  isRequired?: boolean;
  onSave: (value: string) => void;
};

/** A text that is saved when it loses the focus, or is removed. */
export function EditableText({ label, value, id, className, isRequired = false, onSave }: Props) {
  const { text, change, save } = useDraft(value, (edited) => {
    const next = edited.trim();
    if (next !== value && (next !== "" || !isRequired)) onSave(next);
  });
  return (
    <textarea
      id={id}
      className={`editable ${className ?? ""}`}
      aria-label={label}
      placeholder={label}
      rows={Math.max(1, text.split("\n").length)}
      value={text}
      onChange={(event) => change(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        // The Enter that ends a composition chooses characters.
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter" && (isRequired || event.ctrlKey)) event.currentTarget.blur();
      }}
    />
  );
}
