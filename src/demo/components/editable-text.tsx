import { useDraft } from "./use-draft.ts";

type Props = {
  label: string;
  value: string;
  className?: string;
  isRequired?: boolean;
  /** By default the label. */
  placeholder?: string;
  autoFocus?: boolean;
  onSave: (value: string) => void;
};

/** A longer text scrolls while it is edited. */
const maxRows = 30;

/** A text that is saved when it loses the focus, or is removed. */
export function EditableText(props: Props) {
  const { label, value, className, isRequired = false, placeholder = label, onSave } = props;
  const { text, change, save } = useDraft(value, (edited) => {
    const next = edited.trim();
    if (next !== value && (next !== "" || !isRequired)) onSave(next);
  });
  return (
    <textarea
      className={`editable ${className ?? ""}`}
      aria-label={label}
      placeholder={placeholder}
      autoFocus={props.autoFocus}
      rows={Math.min(maxRows, text.split("\n").length)}
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
