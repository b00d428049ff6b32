import { useState, type ComponentProps } from "react";
import { useSession } from "@workspace-board-service/client/react";
import { textOf } from "../components/text-of.ts";
import { useCall } from "../components/use-call.ts";
import { asksForSignIn, replace } from "../base/route.ts";
import { messageOf } from "../base/service.ts";

/** The account that the link of `npm start -- --demo` offers; it never leaves the browser. */
function offered() {
  const query = new URLSearchParams(location.hash.split("?")[1]);
  return { email: query.get("email") ?? "", password: query.get("password") ?? "" };
}

/** Signs in, or signs up. */
export function SignInPage() {
  const [account] = useState(offered);
  const [isNew, setIsNew] = useState(false);
  const { status, signIn, register } = useSession();
  const { error, isBusy, run } = useCall();

  async function submit(form: HTMLFormElement) {
    const [email, password] = [textOf(form, "email"), textOf(form, "password")];
    if (isNew) await register({ email, password, name: textOf(form, "name") });
    else await signIn({ email, password });
    if (asksForSignIn()) replace();
    // The store of a session that has ended begins again.
    if (status === "signed-in") location.reload();
  }

  return (
    <main className="sign-in">
      <h1>Boards</h1>
      <p className="hint">
        A kanban application on the workspace board service: live in all windows, also offline.{" "}
        <a href="docs">Guides and reference</a>
      </p>
      {account.password !== "" && <p>Sign in to the sample workspace, or use your account.</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          run(() => submit(form));
        }}
      >
        {isNew && <Field label="Name" name="name" autoComplete="name" />}
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={account.email}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete={isNew ? "new-password" : "current-password"}
          defaultValue={account.password}
        />
        {error !== undefined && <p role="alert">{messageOf(error)}</p>}
        <button type="submit" className="primary" disabled={isBusy}>
          {isNew ? "Create an account" : "Sign in"}
        </button>
      </form>
      <button type="button" className="link" onClick={() => setIsNew(!isNew)}>
        {isNew ? "Sign in with an account" : "Create an account"}
      </button>
    </main>
  );
}

function Field({ label, ...input }: { label: string } & ComponentProps<"input">) {
  return (
    <label>
      {label}
      <input required {...input} />
    </label>
  );
}
