import { errorOf } from "./errors.ts";
import { exclusive, type Session, type SessionStore } from "./session-store.ts";

/** How requests prove who they are. */
export type Credential = {
  /** The token of the next request; undefined for an anonymous one. */
  token(): Promise<string | undefined>;
  /** Called after a 401 for `token`: true when another token can be tried. */
  renew(token: string | undefined): Promise<boolean>;
};

/** Sends a token, such as an API key, or the token that a function returns for each request. */
export const tokenCredential = (token: string | (() => string | Promise<string>)): Credential => ({
  token: async () => (typeof token === "string" ? token : token()),
  // The function may refresh its token on its own: one more try with another token.
  renew: async (used) => typeof token === "function" && (await token()) !== used,
});

/** Sends no token: the cookies of the page are the credential. */
export const cookieCredential: Credential = {
  token: async () => undefined,
  renew: async () => false,
};

/** The session of a user, with its sign-out. */
export type SessionCredential = Credential & {
  current(): Promise<Session | null>;
  save(session: Session | null): Promise<void>;
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
  const renew = (used: string | undefined) =>
    exclusive(name, async () => {
      const session = await store.load();
      if (session === null) return false;
      // Another tab was faster.
      if (session.accessToken !== used) return true;
      const response = await post("/auth/refresh", { refreshToken: session.refreshToken });
      if (response.ok) {
        const { accessToken, refreshToken } = (await response.json()) as Session;
        await store.save({ accessToken, refreshToken });
        return true;
      }
      const error = await errorOf(response);
      // The 401 of a gateway says nothing about the session.
      if (error.code !== "UNAUTHORIZED") throw error;
      await store.save(null);
      signedOut();
      return false;
    });
  return {
    async token() {
      const session = await store.load();
      if (session === null) return undefined;
      if (expiresWithin(session.accessToken, marginMs)) await renew(session.accessToken);
      return (await store.load())?.accessToken;
    },
    renew,
    current: async () => store.load(),
    save: async (session) => store.save(session),
    async end(logout) {
      try {
        if ((await store.load()) !== null) await logout();
      } finally {
        await store.save(null);
        signedOut();
      }
    },
  };
}

/** Whether an access token (a JWT) expires soon, by the clock of this machine. */
export function expiresWithin(token: string, ms: number): boolean {
  try {
    const payload = token.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? "";
    const { exp } = JSON.parse(atob(payload)) as { exp?: number };
    return exp !== undefined && exp * 1000 - Date.now() < ms;
  } catch {
    return false;
  }
}
