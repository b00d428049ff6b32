"use client";

import { useActionState } from "react";
import { signIn } from "./actions";

export default function Page() {
  const [failure, action, isPending] = useActionState(signIn, "");
  return (
    <form action={action} style={{ display: "grid", gap: "0.5rem", maxWidth: "20rem" }}>
      <label>
        Email <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button disabled={isPending}>Sign in</button>
      {failure !== "" && <p role="alert">{failure}</p>}
    </form>
  );
}
