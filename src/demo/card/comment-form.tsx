import { textOf } from "../components/text-of.ts";

type Props = {
  label: string;
  button: string;
  value?: string;
  onSubmit: (text: string) => void;
  onCancel?: () => void;
};

/** Writes a comment. Enter sends it, Shift and Enter begin a line. */
export function CommentForm({ label, button, value, onSubmit, onCancel }: Props) {
  return (
    <form
      className="comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const text = textOf(form, "text").trim();
        if (text === "") return;
        form.reset();
        onSubmit(text);
      }}
    >
      <textarea
        name="text"
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        autoFocus={value !== undefined}
        rows={1}
        onKeyDown={(event) => {
          // The Enter that ends a composition chooses characters.
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <button type="submit">{button}</button>
      {onCancel !== undefined && (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
    </form>
  );
}
