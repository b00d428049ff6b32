import { useState } from "react";
import { boards, messageOf, startSession } from "./client.ts";
import { hrefOf } from "./route.ts";

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

  async function submit(form: FormData) {
    const text = (name: string) => String(form.get(name) ?? "");
    const [email, password, name] = [text("email"), text("password"), text("name")];
    setIsBusy(true);
    setError("");
    try {
      const { account: calls } = boards;
      const user = await (isNew
        ? calls.register({ email, password, name })
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
          void submit(new FormData(event.currentTarget));
        }}
      >
        {isNew && (
          <label>
            Name
            <input name="name" required autoComplete="name" />
          </label>
        )}
        <label>
          Email
          <input
            name="email"
            type="email"
            required
            autoComplete="username"
            defaultValue={account.email}
          />
        </label>
        <label>
          Password
          <input
            name="password"
            type="password"
            required
            autoComplete={isNew ? "new-password" : "current-password"}
            defaultValue={account.password}
          />
        </label>
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
