import { useEffect, useState } from "react";
import { hrefOf } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";
import { textOf } from "../components/text-of.ts";
import { useCall } from "../components/use-call.ts";
import { Field, Front } from "./sign-in-page.tsx";

/** Takes the token of a mail out of the address, so that neither history nor others read it there. */
function takeToken(): string {
  const url = new URL(location.href);
  const token = url.searchParams.get("token") ?? "";
  url.searchParams.delete("token");
  if (token !== "") history.replaceState(history.state, "", url);
  return token;
}

/** Asks for a mail with a token, and sets a new password with it. */
export function ResetPage() {
  const [token] = useState(takeToken);
  const [asked, setAsked] = useState("");
  const [isDone, setIsDone] = useState(false);
  useEffect(() => {
    document.title = "New password – Boards";
  }, []);
  if (isDone) {
    return (
      <Front hint="Your password is changed. All sessions of your account have ended.">
        <p>
          <a href={hrefOf("sign-in")}>Sign in with the new password</a>
        </p>
      </Front>
    );
  }
  return (
    <Front hint="A mail brings you a token, which sets a new password. It works once, for an hour.">
      {token === "" && <AskForm asked={asked} onAsked={setAsked} />}
      {(token !== "" || asked !== "") && <TokenForm token={token} onDone={() => setIsDone(true)} />}
      <a href={hrefOf("sign-in")}>Back to the sign-in</a>
    </Front>
  );
}

type Ask = { asked: string; onAsked: (email: string) => void };

function AskForm({ asked, onAsked }: Ask) {
  const { error, isBusy, run } = useCall();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const email = textOf(event.currentTarget, "email");
        run(
          () => boards.auth.requestPasswordReset({ email }),
          () => onAsked(email),
        );
      }}
    >
      <Field label="Email" name="email" type="email" autoComplete="username" autoFocus />
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <button type="submit" className={asked === "" ? "primary" : ""} disabled={isBusy}>
        {asked === "" ? "Send the mail" : "Send it again"}
      </button>
      <p role="status">{asked !== "" && `If ${asked} has an account, a mail is on its way.`}</p>
    </form>
  );
}

function TokenForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { error, isBusy, run } = useCall();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const [input, newPassword] = [textOf(form, "token").trim(), textOf(form, "password")];
        run(() => boards.auth.resetPassword({ token: input, newPassword }), onDone);
      }}
    >
      <Field
        label="Token from the mail"
        name="token"
        defaultValue={token}
        autoComplete="one-time-code"
      />
      <Field
        label="New password"
        name="password"
        type="password"
        minLength={8}
        autoComplete="new-password"
        autoFocus={token !== ""}
      />
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <button type="submit" className="primary" disabled={isBusy}>
        Set the password
      </button>
    </form>
  );
}
