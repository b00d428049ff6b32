import { useEffect, useState, type ComponentProps, type ReactNode } from "react";
import { useSession } from "@workspace-board-service/client/react";
import { textOf } from "../components/text-of.ts";
import { useCall } from "../components/use-call.ts";
import { asksForSignIn, hrefOf, replace } from "../base/route.ts";
import { messageOf } from "../base/service.ts";
import { focusNextPage } from "../base/use-focus.ts";

/** The account that the link of `npm start -- --demo` offers; it never leaves the browser. */
function offered() {
  const query = new URLSearchParams(location.hash.split("?")[1]);
  return { email: query.get("email") ?? "", password: query.get("password") ?? "" };
}

/** Signs in, or signs up. */
export function SignInPage() {
  const [account] = useState(offered);
  const [isNew, setIsNew] = useState(false);
  useEffect(() => {
    document.title = "Sign in – Boards";
  }, []);
  const hint = (
    <>
      A kanban application on the workspace board service: live in all windows, also offline.{" "}
      <a href="docs">Guides and reference</a>
    </>
  );
  return (
    <Front hint={hint}>
      {account.password !== "" && <p>Sign in to the sample workspace, or use your account.</p>}
      <AccountForm account={account} isNew={isNew} />
      <p className="buttons">
        <button type="button" className="link" onClick={() => setIsNew(!isNew)}>
          {isNew ? "Sign in with an account" : "Create an account"}
        </button>
        <a href={hrefOf("reset-password")}>Forgot your password?</a>
      </p>
    </Front>
  );
}

type AccountProps = { account: ReturnType<typeof offered>; isNew: boolean };

function AccountForm({ account, isNew }: AccountProps) {
  const { status, signIn, register } = useSession();
  const { error, isBusy, run } = useCall();

  async function submit(form: HTMLFormElement) {
    const [email, password] = [textOf(form, "email"), textOf(form, "password")];
    focusNextPage();
    if (isNew) await register({ email, password, name: textOf(form, "name") });
    else await signIn({ email, password });
    if (asksForSignIn()) replace();
    // The store of a session that has ended begins again.
    if (status === "signed-in") location.reload();
  }

  return (
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
  );
}

/** A page for somebody who is not signed in. */
export const Front = ({ hint, children }: { hint: ReactNode; children: ReactNode }) => (
  <main id="main" className="sign-in" tabIndex={-1}>
    <h1>Boards</h1>
    <p className="hint">{hint}</p>
    {children}
  </main>
);

/** A labelled field of a form, which has to be filled in. */
export function Field({ label, ...input }: { label: string } & ComponentProps<"input">) {
  return (
    <label>
      {label}
      <input required {...input} />
    </label>
  );
}
