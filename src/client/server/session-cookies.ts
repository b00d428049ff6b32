import { serviceAddress } from "../address.ts";
import { errorOf } from "../errors.ts";
import { createClient, type Client } from "../index.ts";
import type {
  ConfirmAuthInput,
  LoginAuthInput,
  RegisterAuthInput,
  SignIn,
  StartedSignIn,
  StartSignInInput,
  User,
} from "../router.ts";
import { cookieCredential, expiresWithin } from "../credential.ts";
import { received, type Session } from "../session-store.ts";
import { getOrMake } from "../store/get-or-make.ts";
import { transport } from "../transport.ts";
import { forward } from "./forward.ts";
import { addressHeader, type Visitor } from "./visitor.ts";

/** The attributes of the session's cookie. */
export type CookieOptions = {
  /** Scripts of the page cannot read it. */
  httpOnly: true;
  /** Only sent over https. */
  secure: boolean;
  /** Not sent with writes of other sites. */
  sameSite: "lax";
  /** Sent with all requests of the site. */
  path: "/";
  /** The lifetime in seconds; 0 removes the cookie. */
  maxAge: number;
};

/** The cookies of a request, such as `await cookies()` of Next.js. */
export type CookieJar = {
  /** The cookie of the request. */
  get(name: string): { value: string } | undefined;
  /** Sets a cookie of the response. */
  set(name: string, value: string, options: CookieOptions): unknown;
};

/** Sessions in an httpOnly cookie: scripts of the page cannot read the tokens. */
export type SessionCookies = {
  /** Signs in, and sets the cookie. */
  signIn(jar: CookieJar, input: LoginAuthInput, visitor?: Visitor): Promise<User>;
  /** Finishes a sign-in that threw `second_factor_required`, and sets the cookie. */
  confirm(jar: CookieJar, input: ConfirmAuthInput, visitor?: Visitor): Promise<User>;
  /** Creates an account, signs in, and sets the cookie. */
  register(jar: CookieJar, input: RegisterAuthInput, visitor?: Visitor): Promise<User>;
  /** Begins a sign-in through a provider: the address where the browser goes. Sets a cookie. */
  signInWith(jar: CookieJar, input: StartSignInInput, visitor?: Visitor): Promise<string>;
  /** Finishes it with the `result` that the browser returned with, and sets the cookie. */
  finishSignIn(jar: CookieJar, result: string, visitor?: Visitor): Promise<User>;
  /** Removes the cookie, and ends the session if the service can be reached. */
  signOut(jar: CookieJar, visitor?: Visitor): Promise<void>;
  /** The access token; renews it first when it expires soon. Only where cookies can be set. */
  refresh(jar: CookieJar, visitor?: Visitor): Promise<string | undefined>;
  /**
   * Forwards a call of the page to the service, as `forward` does, with the token of the session.
   *
   * A call that renews the session is redirected to itself: its browser has the new cookie at once,
   * however long the call takes, and sends the call with it.
   */
  forward(request: Request, jar: CookieJar, options: Forwarded): Promise<Response>;
  /** A client of the signed-in user. It renews nothing, so that server components can use it. */
  client(jar: Pick<CookieJar, "get">, visitor?: Visitor): Client;
};

type Forwarded = Visitor & {
  /** The path of the request below your own route: `/trpc/card.get`, `/api/v1/boards/…`. */
  path: string;
};

type Options = {
  /** The address of the service. */
  url: string;
  /** The name of the cookie (`__Host-boards`, without `secure` `boards`). */
  name?: string;
  /** False only for development without https. */
  secure?: boolean;
};

/** A session ends 30 days after its last use. */
const maxAge = 30 * 24 * 60 * 60;
/** The page that a middleware prepares must not outlive its token. */
const marginMs = 60_000;
const timeoutMs = 30_000;
/** How long a sign-in through a provider may take. */
const signInSeconds = 10 * 60;

/** Stores sessions in cookies, and renews each once for its simultaneous requests. */
export function sessionCookies({ url, secure = true, ...options }: Options): SessionCookies {
  const name = options.name ?? (secure ? "__Host-boards" : "boards");
  const service = serviceAddress(url);
  const attributes = { httpOnly: true, secure, sameSite: "lax", path: "/" } as const;

  const readSession = (jar: Pick<CookieJar, "get">): Session | null =>
    sessionIn(jar.get(name)?.value);
  const write = (jar: CookieJar, session: Session | null) => {
    const value = session === null ? "" : encodeURIComponent(JSON.stringify(session));
    jar.set(name, value, { ...attributes, maxAge: session === null ? 0 : maxAge });
  };
  const post = poster(`${service}/api/v1`);
  const startSession = starter(post, write);
  const renewOnce = renewals(post);
  const refresh = async (jar: CookieJar, visitor?: Visitor) => {
    const session = readSession(jar);
    if (session === null) return undefined;
    if (!expiresWithin(session, marginMs)) return session.accessToken;
    const renewed = await renewOnce(session.refreshToken, visitor);
    write(jar, renewed);
    return renewed?.accessToken;
  };

  return {
    refresh,
    signIn: (jar, input, visitor) => startSession(jar, "/auth/login", input, visitor),
    confirm: (jar, input, visitor) => startSession(jar, "/auth/confirm", input, visitor),
    register: (jar, input, visitor) => startSession(jar, "/auth/register", input, visitor),
    ...throughProviders(post, startSession, { name: `${name}-sign-in`, attributes }),
    async signOut(jar, visitor) {
      const session = readSession(jar);
      write(jar, null);
      if (session === null) return;
      const isExpired = expiresWithin(session, marginMs);
      try {
        // An expired token cannot end its session.
        const current = isExpired ? await renewOnce(session.refreshToken, visitor) : session;
        if (current === null) return;
        const headers = { Authorization: `Bearer ${current.accessToken}` };
        await post("/auth/logout", {}, { ...headers, ...addressHeader(visitor) });
      } catch {
        // The user has signed out of this browser; the session ends with its refresh token.
      }
    },
    async forward(request, jar, call) {
      const before = readSession(jar)?.accessToken;
      const token = refresh(jar, call);
      const isRenewed = await token.then(
        (current) => current !== undefined && current !== before,
        () => false,
      );
      return isRenewed ? repeat(request) : forward(request, { ...call, url, token });
    },
    client: (jar, visitor) => clientOf(url, readSession(jar)?.accessToken ?? "", visitor),
  };
}

type Post = ReturnType<typeof poster>;

/** Starts sessions by a call that answers tokens. */
const starter =
  (post: Post, write: (jar: CookieJar, session: Session) => void) =>
  async (jar: CookieJar, path: string, body: object, visitor?: Visitor): Promise<User> => {
    const response = await post(path, body, addressHeader(visitor));
    if (!response.ok) throw await errorOf(response);
    const signIn = (await response.json()) as SignIn;
    write(jar, received(signIn));
    return signIn.user;
  };

/** Sign-ins through providers, whose secret is in a cookie of its own meanwhile. */
const throughProviders = (
  post: Post,
  startSession: ReturnType<typeof starter>,
  { name, attributes }: { name: string; attributes: Omit<CookieOptions, "maxAge"> },
): Pick<SessionCookies, "signInWith" | "finishSignIn"> => ({
  async signInWith(jar, input, visitor) {
    const response = await post("/sign-in/start", input, addressHeader(visitor));
    if (!response.ok) throw await errorOf(response);
    const started = (await response.json()) as StartedSignIn;
    jar.set(name, started.secret, { ...attributes, maxAge: signInSeconds });
    return started.url;
  },
  async finishSignIn(jar, result, visitor) {
    const secret = jar.get(name)?.value ?? "";
    const user = await startSession(jar, "/sign-in/finish", { result, secret }, visitor);
    jar.set(name, "", { ...attributes, maxAge: 0 });
    return user;
  },
});

/** Lets the browser send a request again; the address is relative, as proxies can change paths. */
const repeat = (request: Request): Response => {
  const location = new URL(request.url).search || "?";
  return new Response(null, { status: 307, headers: { Location: location } });
};

/** Posts JSON; a service that cannot be reached is a `NETWORK_ERROR`. */
function poster(api: string) {
  const send = transport((...call) => fetch(...call), cookieCredential, { timeoutMs, retries: 0 });
  return (path: string, body: object, headers: Record<string, string>) =>
    send(`${api}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
}

function clientOf(url: string, token: string, visitor: Visitor | undefined): Client {
  if (visitor?.address === undefined) return createClient({ url, auth: { token } });
  const send = async (path: string, init?: RequestInit) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(addressHeader(visitor))) headers.set(name, value);
    return fetch(path, { ...init, headers });
  };
  return createClient({ url, auth: { token }, fetch: send });
}

/**
 * Renews sessions; null for one that has ended.
 *
 * Nothing is remembered here: for ten seconds, the service answers a used token with the same tokens,
 * whichever process sends it. So simultaneous requests with the old cookie can arrive anywhere.
 */
function renewals(post: ReturnType<typeof poster>) {
  const running = new Map<string, Promise<Session | null>>();
  const renew = async (used: string, visitor?: Visitor): Promise<Session | null> => {
    const response = await post("/auth/refresh", { refreshToken: used }, addressHeader(visitor));
    // A forged cookie may be 400.
    if (response.status === 401 || response.status === 400) return null;
    if (!response.ok) throw await errorOf(response);
    return received((await response.json()) as Session);
  };
  return (refreshToken: string, visitor?: Visitor) =>
    getOrMake(running, refreshToken, () =>
      renew(refreshToken, visitor).finally(() => running.delete(refreshToken)),
    );
}

function sessionIn(value: string | undefined): Session | null {
  if (value === undefined || value === "") return null;
  try {
    const session = JSON.parse(decodeURIComponent(value)) as Partial<Session> | null;
    const { accessToken, refreshToken, receivedAt } = session ?? {};
    if (typeof accessToken !== "string" || typeof refreshToken !== "string") return null;
    const at = typeof receivedAt === "number" ? { receivedAt } : {};
    return { accessToken, refreshToken, ...at };
  } catch {
    return null;
  }
}
