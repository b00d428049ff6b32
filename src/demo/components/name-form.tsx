import { useState } from "react";
import { messageOf } from "../base/service.ts";
import { textOf } from "./text-of.ts";

type Props = {
  label: string;
  /** By default the label. */
  placeholder?: string;
  /** By default "Add". */
  button?: string;
  /** Adds what the text names. */
  onSubmit: (text: string) => unknown;
};

/** A form with one line of text, which is emptied when it is sent. */
export function NameForm({ label, placeholder = label, button = "Add", onSubmit }: Props) {
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
      <input name="text" aria-label={label} placeholder={placeholder} autoComplete="off" />
      <button type="submit">{button}</button>
      {error !== "" && <p role="alert">{error}</p>}
    </form>
  );
}
