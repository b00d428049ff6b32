import { useState, type ComponentProps } from "react";
import { boards, messageOf, startSession } from "./client.ts";
import { hrefOf } from "./route.ts";
import { textOf } from "./text-of.ts";

/** The account that the link of `npm start -- --demo` offers; it never leaves the browser. */
function offered() {
  const query = new URLSearchParams(location.hash.split("?")[1]);
  return { email: query.get("email") ?? "", password: query.get("password") ?? "" };
}

/** Signs in, or signs up. */
export function SignInPage() {
  const [account] = useState(offered);
  const [isNew, setIsNew] = useState(false);
  const [error, setError] = useState("");
  const [isBusy, setIsBusy] = useState(false);

  async function submit(form: HTMLFormElement) {
    const [email, password] = [textOf(form, "email"), textOf(form, "password")];
    setIsBusy(true);
    setError("");
    try {
      const { account: calls } = boards;
      const user = await (isNew
        ? calls.register({ email, password, name: textOf(form, "name") })
        : calls.signIn({ email, password }));
      history.replaceState(null, "", hrefOf());
      startSession(user);
    } catch (failure) {
      setError(messageOf(failure));
      setIsBusy(false);
    }
  }

  return (
    <main className="sign-in">
      <h1>Boards</h1>
      {account.password !== "" && <p>Sign in to the sample workspace, or use your account.</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
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
        {error !== "" && <p role="alert">{error}</p>}
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
