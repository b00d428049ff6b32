import type { SessionCredential } from "./credential.ts";
import { errorOf } from "./errors.ts";
import { addPasskey, usePasskey, type PasskeyCalls } from "./passkeys.ts";
import type {
  AddedSecondFactor,
  Identity,
  LoginAuthInput,
  RegisterAuthInput,
  SecondFactorChallenge,
  SignIn,
  User,
} from "./router.ts";
import { received } from "./session-store.ts";
import type {
  Link,
  Returned,
  ReturnedOptions,
  SignInsWith,
  SignInWithOptions,
} from "./sign-in-with.ts";

/** The signed-in user of a client with a stored session. */
export type Account = {
  /** Creates an account and signs in. */
  register(input: RegisterAuthInput): Promise<User>;
  /**
   * Signs in.
   *
   * Throws `second_factor_required` for an account with a second factor: call `confirm` then.
   */
  signIn(input: LoginAuthInput): Promise<User>;
  /**
   * Finishes a sign-in that threw `second_factor_required`: by a code of an app, by a recovery code,
   * or, without a code, by a passkey of this browser.
   */
  confirm(input?: { code?: string }): Promise<User>;
  /** The challenge of a sign-in that waits for `confirm`. */
  readonly challenge: SecondFactorChallenge | undefined;
  /** Makes a passkey in this browser, and adds it to the signed-in user as a second factor. */
  addPasskey(input?: { name?: string; password?: string }): Promise<AddedSecondFactor>;
  /**
   * Begins a sign-in through a provider, such as `github`: the browser leaves the page.
   *
   * `signIn.providers()` lists the providers.
   */
  signInWith(provider: string, options?: SignInWithOptions): Promise<void>;
  /**
   * Finishes it on the page that the browser returned to; null on any other page.
   *
   * Throws `link_required` if the address has an account: sign in to it, then call `linkSignIn`.
   */
  finishSignIn(options?: ReturnedOptions): Promise<User | null>;
  /**
   * Links the provider that the browser returned from to the signed-in user; null when it did not.
   *
   * An account with a password needs it.
   */
  linkSignIn(input?: { password?: string }, options?: ReturnedOptions): Promise<Identity | null>;
  /** Ends the session. Where the service cannot be reached, only in this browser: it rejects. */
  signOut(): Promise<void>;
  /** Calls a function when the session has ended, after `onSignedOut`. */
  onSignedOut(listener: () => void): () => void;
  /**
   * Sends nothing with the session of another user than this one: another tab may have signed in.
   * `createSession` calls it.
   */
  use: (userPublicId: string | undefined) => void;
  /** Whether a session is stored; false with `token` and `cookie`. */
  isSignedIn(): Promise<boolean>;
};

type Calls = { logout: () => Promise<unknown>; link: Link; passkeys: PasskeyCalls };

/** Starts sessions, some of them in two steps. */
function signingIn(
  session: SessionCredential,
  post: (path: string, body: unknown) => Promise<Response>,
) {
  let challenge: SecondFactorChallenge | undefined;
  const start = async (path: string, body: unknown) => {
    const response = await post(path, body);
    if (!response.ok) {
      const error = await errorOf(response);
      challenge = error.issues[0]?.secondFactor ?? challenge;
      throw error;
    }
    challenge = undefined;
    const signIn = (await response.json()) as SignIn;
    await session.save(received(signIn));
    return signIn.user;
  };
  return {
    start,
    challenge: () => challenge,
    async confirm({ code }: { code?: string } = {}) {
      if (challenge === undefined) throw new Error("No sign-in waits for a second factor.");
      const answer = code === undefined ? { passkey: await usePasskey(challenge) } : { code };
      return start("/auth/confirm", { challenge: challenge.challenge, ...answer });
    },
  };
}

/** The account of a client; `logout` ends the session at the service. */
export function accountOf(
  session: SessionCredential,
  post: (path: string, body: unknown) => Promise<Response>,
  listeners: Set<() => void>,
  { signIns, logout, link, passkeys }: Calls & { signIns: SignInsWith },
): Account {
  const signing = signingIn(session, post);
  const startSession = signing.start;
  /** Uses what the browser returned with, and forgets it. */
  const using = async <Result>(
    options: ReturnedOptions,
    returned: Returned | undefined,
    use: (returned: Returned) => Promise<Result>,
  ): Promise<Result | null> => {
    if (returned === undefined) return null;
    try {
      const result = await use(returned);
      await signIns.end(options);
      return result;
    } catch (error) {
      await signIns.end(options, error);
      throw error;
    }
  };
  return {
    signInWith: (provider, options = {}) => signIns.begin(provider, options),
    finishSignIn: async (options = {}) =>
      using(options, await signIns.take(options), (returned) =>
        startSession("/sign-in/finish", returned),
      ),
    linkSignIn: async (input = {}, options = {}) => {
      const returned = (await signIns.take(options)) ?? (await signIns.waiting(options));
      return using(options, returned, (found) => link({ ...found, ...input }));
    },
    register: (input) => startSession("/auth/register", input),
    signIn: (input) => startSession("/auth/login", input),
    confirm: (input) => signing.confirm(input),
    get challenge() {
      return signing.challenge();
    },
    addPasskey: (input = {}) => addPasskey(passkeys, input),
    signOut: () => session.end(logout),
    onSignedOut(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    use: session.use,
    isSignedIn: async () => (await session.current()) !== null,
  };
}
