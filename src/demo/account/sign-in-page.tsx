import { useEffect, useState, type ComponentProps, type ReactNode } from "react";
import { isError } from "@workspace-board-service/client";
import { useSession } from "@workspace-board-service/client/react";
import { textOf } from "../components/text-of.ts";
import { useCall } from "../components/use-call.ts";
import { asksForSignIn, hrefOf, replace } from "../base/route.ts";
import { boards, messageOf, returned } from "../base/service.ts";
import { focusNextPage } from "../base/use-focus.ts";
import { useQuery } from "../base/use-query.ts";

/** The account that the link of `npm start -- --demo` offers; it never leaves the browser. */
function offered() {
  const query = new URLSearchParams(location.hash.split("?")[1]);
  return { email: query.get("email") ?? "", password: query.get("password") ?? "" };
}

/** Signs in, or signs up. */
export function SignInPage() {
  const [account] = useState(offered);
  const [isNew, setIsNew] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    document.title = "Sign in – Boards";
    void returned.then(setFailure);
  }, []);
  const isToLink = isError(failure, "link_required");
  const hint = (
    <>
      A kanban application on the workspace board service: live in all windows, also offline.{" "}
      <a href="docs">Guides and reference</a>
    </>
  );
  return (
    <Front hint={hint}>
      {account.password !== "" && <p>Sign in to the sample workspace, or use your account.</p>}
      {isToLink ? (
        <p role="alert">
          Your address has an account here. Sign in with its password once: the provider is linked
          to it then.
        </p>
      ) : (
        failure !== undefined &&
        !isError(failure, "second_factor_required") && <p role="alert">{messageOf(failure)}</p>
      )}
      {isError(failure, "second_factor_required") ? (
        <SecondFactorForm isToLink={false} password="" />
      ) : (
        <AccountForm account={account} isNew={isNew} isToLink={isToLink} />
      )}
      <Providers />
      <p className="buttons">
        <button type="button" className="link" onClick={() => setIsNew(!isNew)}>
          {isNew ? "Sign in with an account" : "Create an account"}
        </button>
        <a href={hrefOf("reset-password")}>Forgot your password?</a>
      </p>
    </Front>
  );
}

/** A button for each provider that the operator has configured. */
function Providers() {
  const { data = [] } = useQuery("providers", (signal) => boards.signIn.providers({}, { signal }));
  const { error, isBusy, run } = useCall();
  return (
    <>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {data.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          disabled={isBusy}
          onClick={() => run(() => boards.account.signInWith(id))}
        >
          Sign in with {name}
        </button>
      ))}
    </>
  );
}

type AccountProps = { account: ReturnType<typeof offered>; isNew: boolean; isToLink: boolean };

function AccountForm({ account, isNew, isToLink }: AccountProps) {
  const { status, signIn, register } = useSession();
  const { error, isBusy, run } = useCall();
  const [sentPassword, setSentPassword] = useState("");

  async function submit(form: HTMLFormElement) {
    const [email, password] = [textOf(form, "email"), textOf(form, "password")];
    focusNextPage();
    setSentPassword(password);
    if (isNew) await register({ email, password, name: textOf(form, "name") });
    else await signIn({ email, password });
    await goOn(status, isToLink && !isNew ? password : undefined);
  }

  if (isError(error, "second_factor_required")) {
    return <SecondFactorForm isToLink={isToLink} password={sentPassword} />;
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

/** What follows when somebody has signed in. */
async function goOn(status: string, password: string | undefined) {
  // The person is signed in, also if the ten minutes of the provider are over.
  if (password !== undefined) await boards.account.linkSignIn({ password }).catch(() => null);
  if (asksForSignIn()) replace();
  // The store of a session that has ended begins again.
  if (status === "signed-in") location.reload();
}

/** Asks for the second factor of an account: a code, or a passkey of this browser. */
function SecondFactorForm({ isToLink, password }: { isToLink: boolean; password: string }) {
  const { status, confirm } = useSession();
  const { error, isBusy, run } = useCall();
  const finish = (input: { code?: string }) =>
    run(async () => {
      focusNextPage();
      await confirm(input);
      await goOn(status, isToLink ? password : undefined);
    });
  const hasPasskey = boards.account.challenge?.factors.includes("passkey") === true;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        finish({ code: textOf(event.currentTarget, "code") });
      }}
    >
      <p>Your account has a second factor.</p>
      <Field
        label="Code of your app, or a recovery code"
        name="code"
        autoComplete="one-time-code"
        autoFocus
      />
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <button type="submit" className="primary" disabled={isBusy}>
        Confirm
      </button>
      {hasPasskey && (
        <button type="button" disabled={isBusy} onClick={() => finish({})}>
          Use a passkey
        </button>
      )}
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
