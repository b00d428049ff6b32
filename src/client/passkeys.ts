import { BoardServiceError } from "./errors.ts";
import type {
  AddedSecondFactor,
  AddPasskeySecondFactorInput,
  ConfirmAuthInput,
  SecondFactorChallenge,
  StartedPasskey,
} from "./router.ts";

type Made = { toJSON(): unknown };
type Asked = { publicKey: unknown };
// The parts of the browser that are used here; Node.js lacks them.
type Browser = {
  PublicKeyCredential?: {
    parseCreationOptionsFromJSON?(options: unknown): unknown;
    parseRequestOptionsFromJSON?(options: unknown): unknown;
  };
  navigator?: {
    credentials?: {
      create(asked: Asked): Promise<Made | null>;
      get(asked: Asked): Promise<Made | null>;
    };
  };
};

/** The calls that add a passkey. */
export type PasskeyCalls = {
  start: () => Promise<StartedPasskey>;
  add: (input: AddPasskeySecondFactorInput) => Promise<AddedSecondFactor>;
};

const refusal = (code: string, message: string, cause?: unknown) =>
  new BoardServiceError({ status: 0, code, message }, { cause });

/** What the browser makes or signs; throws when it cannot, or the person does not want to. */
async function ask(verb: "create" | "get", options: unknown): Promise<unknown> {
  const { PublicKeyCredential: parser, navigator } = globalThis as unknown as Browser;
  const publicKey =
    verb === "create"
      ? parser?.parseCreationOptionsFromJSON?.(options)
      : parser?.parseRequestOptionsFromJSON?.(options);
  if (publicKey === undefined || navigator?.credentials === undefined) {
    throw refusal("passkeys_unavailable", "This browser cannot use passkeys here.");
  }
  try {
    return (await navigator.credentials[verb]({ publicKey }))?.toJSON();
  } catch (error) {
    throw refusal("passkey_refused", "The passkey was not used. Try again.", error);
  }
}

/** Asks a passkey of this browser to confirm a sign-in. */
export async function usePasskey({ passkey }: SecondFactorChallenge) {
  if (passkey === null) throw refusal("passkeys_unavailable", "The account has no passkey.");
  return (await ask("get", passkey)) as NonNullable<ConfirmAuthInput["passkey"]>;
}

/** Makes a passkey in this browser, and adds it. */
export async function addPasskey(
  { start, add }: PasskeyCalls,
  input: { name?: string; password?: string },
): Promise<AddedSecondFactor> {
  const { setup, options } = await start();
  const passkey = (await ask("create", options)) as AddPasskeySecondFactorInput["passkey"];
  return add({ setup, passkey, ...input });
}
