import { useState } from "react";
import { messageOf } from "../base/service.ts";
import { textOf } from "./text-of.ts";

type Props = {
  label: string;
  /** By default the label. */
  placeholder?: string;
  /** By default "Add". */
  button?: string;
  /** Whether it has the focus when it shows. */
  isFocused?: boolean;
  /** The key that puts the focus here. */
  shortcut?: string;
  /** Adds what the text names. */
  onSubmit: (text: string) => unknown;
};

/** A form with one line of text, which is emptied when it is sent. */
export function NameForm(props: Props) {
  const { label, placeholder = label, button = "Add", onSubmit } = props;
  const [error, setError] = useState("");
  return (
    <form
      className="name-form"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const text = textOf(form, "text").trim();
        if (text === "") return;
        form.reset();
        setError("");
        void Promise.resolve(onSubmit(text)).catch((failure: unknown) =>
          setError(messageOf(failure)),
        );
      }}
    >
      <input
        name="text"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        autoFocus={props.isFocused}
        aria-keyshortcuts={props.shortcut}
      />
      <button type="submit">{button}</button>
      {error !== "" && <p role="alert">{error}</p>}
    </form>
  );
}
