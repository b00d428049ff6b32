import { errorOf } from "../errors.ts";
import { createClient, type Client } from "../index.ts";
import type { LoginAuthInput, RegisterAuthInput, SignIn, User } from "../router.ts";
import { expiresWithin } from "../credential.ts";
import type { Session } from "../session-store.ts";

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
  signIn(jar: CookieJar, input: LoginAuthInput): Promise<User>;
  /** Creates an account, signs in, and sets the cookie. */
  register(jar: CookieJar, input: RegisterAuthInput): Promise<User>;
  /** Ends the session, and removes the cookie. */
  signOut(jar: CookieJar): Promise<void>;
  /** The access token; renews it first when it expires soon. Only where cookies can be set. */
  refresh(jar: CookieJar): Promise<string | undefined>;
  /** A client of the signed-in user. It renews nothing, so that server components can use it. */
  client(jar: Pick<CookieJar, "get">): Client;
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
/** How long the answer of a refresh is used for requests that still have the old cookie. */
const sharedMs = 10_000;

/** Stores sessions in cookies, and renews each once for all its simultaneous requests. */
export function sessionCookies({ url, secure = true, ...options }: Options): SessionCookies {
  const name = options.name ?? (secure ? "__Host-boards" : "boards");
  const service = url.replace(/(?<!\/)\/+$/, "");
  const attributes = { httpOnly: true, secure, sameSite: "lax", path: "/" } as const;

  const read = (jar: Pick<CookieJar, "get">): Session | null => sessionIn(jar.get(name)?.value);
  const write = (jar: CookieJar, session: Session | null) => {
    const value = session === null ? "" : encodeURIComponent(JSON.stringify(session));
    jar.set(name, value, { ...attributes, maxAge: session === null ? 0 : maxAge });
  };
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${service}/api/v1${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const begin = async (jar: CookieJar, path: string, body: object) => {
    const response = await post(path, body);
    if (!response.ok) throw await errorOf(response);
    const { accessToken, refreshToken, user } = (await response.json()) as SignIn;
    write(jar, { accessToken, refreshToken });
    return user;
  };
  const renewOnce = renewals((refreshToken) => post("/auth/refresh", { refreshToken }));

  return {
    signIn: (jar, input) => begin(jar, "/auth/login", input),
    register: (jar, input) => begin(jar, "/auth/register", input),
    async signOut(jar) {
      const session = read(jar);
      write(jar, null);
      if (session === null) return;
      await post("/auth/logout", {}, { Authorization: `Bearer ${session.accessToken}` });
    },
    async refresh(jar) {
      const session = read(jar);
      if (session === null) return undefined;
      if (!expiresWithin(session.accessToken, marginMs)) return session.accessToken;
      const renewed = await renewOnce(session.refreshToken);
      write(jar, renewed);
      return renewed?.accessToken;
    },
    client: (jar) => createClient({ url, auth: { token: read(jar)?.accessToken ?? "" } }),
  };
}

/** Renews sessions, each once for the requests of the same moment; null for one that has ended. */
function renewals(post: (refreshToken: string) => Promise<Response>) {
  const known = new Map<string, Promise<Session | null>>();
  const renew = async (used: string): Promise<Session | null> => {
    const response = await post(used);
    if (response.status === 401) return null;
    if (!response.ok) throw await errorOf(response);
    const { accessToken, refreshToken } = (await response.json()) as Session;
    return { accessToken, refreshToken };
  };
  return (refreshToken: string) => {
    const earlier = known.get(refreshToken);
    if (earlier !== undefined) return earlier;
    const renewed = renew(refreshToken);
    known.set(refreshToken, renewed);
    const drop = () => known.delete(refreshToken);
    renewed.then(() => setTimeout(drop, sharedMs), drop);
    return renewed;
  };
}

function sessionIn(value: string | undefined): Session | null {
  if (value === undefined || value === "") return null;
  try {
    return JSON.parse(decodeURIComponent(value)) as Session;
  } catch {
    return null;
  }
}
