import { BoardServiceError, errorOf } from "./errors.ts";
import { exclusive, received, type Session, type SessionStore } from "./session-store.ts";

/** How requests prove who they are. */
export type Credential = {
  /** The token of the next request; undefined for an anonymous one. */
  token(): Promise<string | undefined>;
  /** Called after a 401 for `token`: true when another token can be tried. */
  renew(token: string | undefined): Promise<boolean>;
  /** The subject of its JWT; undefined for another token, and for cookies. */
  subject(): Promise<string | undefined>;
};

/** Sends a token, such as an API key, or the token that a function returns for each request. */
export const tokenCredential = (token: string | (() => string | Promise<string>)): Credential => ({
  token: async () => (typeof token === "string" ? token : token()),
  // The function may refresh its token on its own: one more try with another token.
  renew: async (used) => typeof token === "function" && (await token()) !== used,
  subject: async () => claimsOf(typeof token === "string" ? token : await token()).sub,
});

/** Sends no token: the cookies of the page are the credential. */
export const cookieCredential: Credential = {
  token: async () => undefined,
  renew: async () => false,
  subject: async () => undefined,
};

/** The session of a user, with its sign-out. */
export type SessionCredential = Credential & {
  current(): Promise<Session | null>;
  save(session: Session | null): Promise<void>;
  /** Uses only sessions of this user; of any with undefined. */
  use: (userPublicId: string | undefined) => void;
  /** Signs out: without a connection only in this browser. */
  end(logout: () => Promise<unknown>): Promise<void>;
};

/** Access tokens are renewed this long before they expire. */
const marginMs = 30_000;

/** Sends the access token of a stored session, and renews it once for all tabs. */
export function sessionCredential(
  store: SessionStore,
  name: string,
  post: (path: string, body: unknown) => Promise<Response>,
  signedOut: () => void,
): SessionCredential {
  /** The session that this tab stored last: a store of the application may drop `receivedAt`. */
  let newest: Session | null = null;
  const save = async (session: Session | null) => {
    newest = session;
    await store.save(session);
  };
  const { load, close, use, isOther } = observed(store, signedOut);
  const renew = (used: string | undefined) =>
    exclusive(name, async () => {
      const session = await load();
      if (session === null) return false;
      // Another tab was faster.
      if (session.accessToken !== used) return true;
      const response = await post("/auth/refresh", { refreshToken: session.refreshToken });
      if (response.ok) {
        await save(received((await response.json()) as Session));
        return true;
      }
      const error = await errorOf(response);
      // The 401 of a gateway says nothing about the session.
      if (error.code !== "UNAUTHORIZED") throw error;
      await save(null);
      close();
      return false;
    });
  return {
    async token() {
      const session = await load();
      if (session === null) return undefined;
      const { accessToken } = session;
      const current = newest?.accessToken === accessToken ? newest : session;
      if (expiresWithin(current, marginMs)) await renew(accessToken);
      return (await load())?.accessToken;
    },
    renew,
    use,
    subject: async () => claimsOf((await store.load())?.accessToken).sub,
    current: load,
    save,
    async end(logout) {
      try {
        if ((await store.load()) !== null) await logout();
      } finally {
        if (!isOther(await store.load())) await save(null);
        close();
      }
    },
  };
}

/** The error when another tab has signed in as another user: what this tab has to send waits. */
const otherUser = () =>
  new BoardServiceError({
    status: 0,
    code: "NETWORK_ERROR",
    message: "Another user has signed in. Reload the page.",
  });

/** Loads sessions from a store, and reports the end of one that another tab has ended. */
function observed(store: SessionStore, signedOut: () => void) {
  /** Whether this tab has used a session. */
  let isOpen = false;
  /** The user whose sessions are used; undefined for any. */
  let user: string | undefined;
  const isOther = (session: Session | null) =>
    session !== null && user !== undefined && claimsOf(session.accessToken).sub !== user;
  const close = () => {
    isOpen = false;
    signedOut();
  };
  const load = async () => {
    const session = await store.load();
    if (session !== null) isOpen = true;
    else if (isOpen) close();
    if (isOther(session)) throw otherUser();
    return session;
  };
  const use = (userPublicId: string | undefined) => void (user = userPublicId);
  return { load, close, use, isOther };
}

/**
 * Whether the access token of a session (a JWT) expires soon.
 *
 * Its lifetime counts from when it was received: the clock of this machine may be wrong.
 */
export function expiresWithin({ accessToken, receivedAt }: Session, ms: number): boolean {
  const { iat = 0, exp } = claimsOf(accessToken);
  if (exp === undefined) return false;
  return (receivedAt ?? iat * 1000) + (exp - iat) * 1000 - Date.now() < ms;
}

/** The user that a credential names, if that is known. */
export const subjectOf = async (credential: Credential): Promise<string | undefined> =>
  // A token that cannot be read now is read again for the request.
  credential.subject().catch(() => undefined);

/** What all tabs of a user have in common; undefined where they share nothing. */
export async function sharedNameOf(
  url: string,
  { auth = {}, stream = {} }: { auth?: object; stream?: { shareAcrossTabs?: boolean } },
  credential: Credential,
): Promise<string | undefined> {
  if (stream.shareAcrossTabs !== true) return undefined;
  if ("cookie" in auth) return url;
  const sub = await subjectOf(credential);
  return sub === undefined ? undefined : `${url} ${sub}`;
}

/** The claims of a JWT; another token has no claims. */
function claimsOf(token = ""): { iat?: number; exp?: number; sub?: string } {
  try {
    const payload = token.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? "";
    return (JSON.parse(atob(payload)) as object | null) ?? {};
  } catch {
    return {};
  }
}
