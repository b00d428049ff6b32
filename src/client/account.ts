import type { SessionCredential } from "./credential.ts";
import { errorOf } from "./errors.ts";
import type { LoginAuthInput, RegisterAuthInput, SignIn, User } from "./router.ts";
import { received } from "./session-store.ts";

/** The signed-in user of a client with a stored session. */
export type Account = {
  /** Creates an account and signs in. */
  register(input: RegisterAuthInput): Promise<User>;
  /** Signs in. */
  signIn(input: LoginAuthInput): Promise<User>;
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

/** The account of a client; `logout` ends the session at the service. */
export function accountOf(
  session: SessionCredential,
  post: (path: string, body: unknown) => Promise<Response>,
  listeners: Set<() => void>,
  logout: () => Promise<unknown>,
): Account {
  const startSession = async (path: string, body: unknown) => {
    const response = await post(path, body);
    if (!response.ok) throw await errorOf(response);
    const signIn = (await response.json()) as SignIn;
    await session.save(received(signIn));
    return signIn.user;
  };
  return {
    register: (input) => startSession("/auth/register", input),
    signIn: (input) => startSession("/auth/login", input),
    signOut: () => session.end(logout),
    onSignedOut(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    use: session.use,
    isSignedIn: async () => (await session.current()) !== null,
  };
}
