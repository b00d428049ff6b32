"use client";

import { useActionState, type ReactNode } from "react";

type Props = {
  action: (failure: string, form: FormData) => Promise<string>;
  /** The text of the button. */
  submit: string;
  children: ReactNode;
};

/** A form that signs in or signs up. It shows why that did not work. */
export function AccountForm({ action, submit, children }: Props) {
  const [failure, start, isPending] = useActionState(action, "");
  return (
    <form action={start} style={{ display: "grid", gap: "0.5rem", maxWidth: "20rem" }}>
      {children}
      <button disabled={isPending}>{submit}</button>
      {failure !== "" && <p role="alert">{failure}</p>}
    </form>
  );
}
