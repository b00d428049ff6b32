import { lazy, Suspense, useState } from "react";
import type { AddedSecondFactor, SecondFactor } from "@workspace-board-service/client";
import { boards, messageOf } from "../base/service.ts";
import { useQuery } from "../base/use-query.ts";
import { textOf } from "../components/text-of.ts";
import { useCall } from "../components/use-call.ts";

const QrCode = lazy(() => import("./qr-code.tsx"));

type Begun = { setup: string; secret: string; url: string };
type Step = { begun?: Begun; codes?: readonly string[] };

/** The password of a form; an account of a provider has none. */
const passwordIn = (form: HTMLFormElement) => {
  const password = textOf(form, "password");
  return password === "" ? {} : { password };
};

/** What proves the account beside its password, and how it is added and removed. */
function useFactors() {
  const { data, reload } = useQuery("second factors", (signal) =>
    boards.secondFactor.list({}, { signal }),
  );
  const { error, isBusy, run } = useCall();
  const [step, setStep] = useState<Step>({});
  const changed = (codes?: readonly string[] | null) => {
    setStep(codes ? { codes } : {});
    reload();
  };
  const add = (call: () => Promise<AddedSecondFactor>) =>
    run(async () => changed((await call()).recoveryCodes));
  return {
    data,
    error,
    isBusy,
    step,
    start: () => run(async () => setStep({ begun: await boards.secondFactor.startTotp({}) })),
    addCodes: (form: HTMLFormElement, { setup }: Begun) =>
      add(() =>
        boards.secondFactor.addTotp({ setup, code: textOf(form, "code"), ...passwordIn(form) }),
      ),
    addPasskey: (form: HTMLFormElement) => add(() => boards.account.addPasskey(passwordIn(form))),
    remove: (form: HTMLFormElement, secondFactorPublicId: string) =>
      run(async () => {
        await boards.secondFactor.remove({ secondFactorPublicId, ...passwordIn(form) });
        changed();
      }),
  };
}

/** Shows the second factors of the account, adds and removes them. */
export function SecondFactors() {
  const { data, error, isBusy, step, ...does } = useFactors();
  const factors = data?.factors ?? [];
  const { begun, codes } = step;
  const canAddCodes = begun === undefined && !factors.some(({ type }) => type === "totp");
  return (
    <details>
      <summary>Second factor</summary>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          if (begun === undefined) does.addPasskey(form);
          else does.addCodes(form, begun);
        }}
      >
        <p className="hint">
          Signing in then needs more than the password.
          {factors.length > 0 && ` Recovery codes left: ${data?.recoveryCodes ?? 0}.`}
        </p>
        <label>
          Your password
          <input name="password" type="password" autoComplete="current-password" />
        </label>
        {factors.map((factor) => (
          <Factor key={factor.publicId} factor={factor} isBusy={isBusy} onRemove={does.remove} />
        ))}
        {begun !== undefined && <FirstCode begun={begun} isBusy={isBusy} />}
        {error !== undefined && <p role="alert">{messageOf(error)}</p>}
        <p className="buttons">
          {canAddCodes && (
            <button type="button" disabled={isBusy} onClick={does.start}>
              Add codes of an app
            </button>
          )}
          {begun === undefined && (
            <button type="submit" disabled={isBusy}>
              Add a passkey
            </button>
          )}
        </p>
        {codes !== undefined && <RecoveryCodes codes={codes} />}
      </form>
    </details>
  );
}

type FactorProps = {
  factor: SecondFactor;
  isBusy: boolean;
  onRemove: (form: HTMLFormElement, publicId: string) => void;
};

const Factor = ({ factor: { publicId, name }, isBusy, onRemove }: FactorProps) => (
  <p className="buttons">
    <span>{name}</span>
    <button
      type="button"
      disabled={isBusy}
      aria-label={`Remove ${name}`}
      onClick={({ currentTarget: { form } }) => form !== null && onRemove(form, publicId)}
    >
      Remove
    </button>
  </p>
);

const FirstCode = ({ begun, isBusy }: { begun: Begun; isBusy: boolean }) => (
  <>
    <Suspense>
      <QrCode text={begun.url} label="QR code for your app" />
    </Suspense>
    <p>
      Scan the code with your app, enter this secret there: <code>{begun.secret}</code>, or{" "}
      <a href={begun.url}>open it there</a>.
    </p>
    <label>
      Code that the app shows
      <input name="code" autoComplete="one-time-code" required />
    </label>
    <button type="submit" className="primary" disabled={isBusy}>
      Add the app
    </button>
  </>
);

const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => (
  <div role="status">
    <p>
      Keep these recovery codes. Each replaces the second factor once; they are not shown again.
    </p>
    <ul>
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
  </div>
);
