import { BoardServiceError, errorOf, isError } from "./errors.ts";
import type { Identity, StartedSignIn } from "./router.ts";

/** Where a page keeps a sign-in until the browser has returned, such as `sessionStorage`. */
export type SignInStorage = {
  /** The stored text; null without one. */
  getItem(key: string): string | null | Promise<string | null>;
  /** Stores a text. */
  setItem(key: string, value: string): void | Promise<void>;
  /** Removes a text. */
  removeItem(key: string): void | Promise<void>;
};

/** How a sign-in through a provider begins. */
export type SignInWithOptions = {
  /** The page that calls `finishSignIn` (the current one). The service must allow it. */
  returnUrl?: string;
  /** Where the secret of the page is kept (`sessionStorage`). */
  storage?: SignInStorage;
  /** Opens the page of the provider (in this tab). */
  open?: (url: string) => void;
};

/** How a sign-in through a provider ends. */
export type ReturnedOptions = {
  /** The address that the browser returned to (that of the page, without the result afterwards). */
  address?: string;
  /** Where the secret of the page is kept (`sessionStorage`). */
  storage?: SignInStorage;
};

// The parts of the browser that are used here; Node.js lacks them.
type Browser = {
  sessionStorage?: SignInStorage;
  location?: { href: string; assign(url: string): void };
  history?: { state: unknown; replaceState(state: unknown, unused: string, url: string): void };
};
const browser = globalThis as unknown as Browser;

/** What is kept. The fragment is restored afterwards: pages may have their secrets there. */
type Pending = { secret: string; fragment?: string; result?: string };
/** The secret of a page, and the result that it got. */
export type Returned = { secret: string; result: string };

const failures: Record<string, string> = {
  access_denied: "The sign-in was cancelled.",
  provider_unreachable: "The provider does not answer. Try again later.",
};

const refusal = (code: string) =>
  new BoardServiceError({
    status: 0,
    code,
    message: failures[code] ?? "The provider did not confirm the sign-in. Try again.",
  });

/** Sign-ins through providers that leave the page and return to it. */
export function signInsWith(url: string, post: (path: string, body: unknown) => Promise<Response>) {
  const key = `${url} sign-in`;
  const storageOf = ({ storage = browser.sessionStorage }: { storage?: SignInStorage }) => {
    if (storage === undefined) throw new Error("This platform has no sessionStorage: give one.");
    return storage;
  };
  const load = async (storage: SignInStorage): Promise<Pending | null> =>
    JSON.parse((await storage.getItem(key)) ?? "null") as Pending | null;

  return {
    /** Begins; the browser leaves the page. */
    async begin(provider: string, options: SignInWithOptions): Promise<void> {
      const { page, fragment } = currentPage(options);
      const response = await post("/sign-in/start", { provider, returnUrl: page });
      if (!response.ok) throw await errorOf(response);
      const started = (await response.json()) as StartedSignIn;
      const pending: Pending = { secret: started.secret, fragment };
      await storageOf(options).setItem(key, JSON.stringify(pending));
      const open = options.open ?? ((address: string) => browser.location?.assign(address));
      open(started.url);
    },
    /**
     * What the page has returned with, which is then no longer in its address; undefined when it
     * did not return. Throws what the provider said instead.
     */
    async take(options: ReturnedOptions): Promise<Returned | undefined> {
      const address = options.address ?? browser.location?.href;
      if (address === undefined) return undefined;
      const query = new URL(address).searchParams;
      const [result, error] = [query.get("result"), query.get("error")];
      if (result === null && error === null) return undefined;
      const storage = storageOf(options);
      const pending = await load(storage);
      // Another page began it: its result is worth nothing here.
      if (pending === null) return undefined;
      if (options.address === undefined) {
        const clean = withoutResult(address);
        if (pending.fragment) clean.hash = pending.fragment;
        browser.history?.replaceState(browser.history.state, "", clean.href);
      }
      if (result === null) {
        await storage.removeItem(key);
        throw refusal(error ?? "");
      }
      const returned = { secret: pending.secret, result };
      await storage.setItem(key, JSON.stringify(returned satisfies Pending));
      return returned;
    },
    /** What was returned with, and was not used yet. */
    async waiting(options: ReturnedOptions): Promise<Returned | undefined> {
      const pending = await load(storageOf(options));
      return pending?.result === undefined ? undefined : { ...pending, result: pending.result };
    },
    /** Forgets a sign-in that has ended; one that has to be linked waits. */
    async end(options: ReturnedOptions, error?: unknown): Promise<void> {
      if (!isError(error, "link_required")) await storageOf(options).removeItem(key);
    },
  };
}

export type SignInsWith = ReturnType<typeof signInsWith>;

/** What `signIn.link` does. */
export type Link = (input: Returned & { password?: string }) => Promise<Identity>;

/** The page to return to, and its fragment, which stays in the browser. */
function currentPage({ returnUrl }: SignInWithOptions): { page: string; fragment: string } {
  if (returnUrl !== undefined) return { page: returnUrl, fragment: "" };
  if (browser.location === undefined) throw new Error("This platform has no page: set returnUrl.");
  const url = withoutResult(browser.location.href);
  const fragment = url.hash;
  url.hash = "";
  return { page: url.href, fragment };
}

function withoutResult(address: string): URL {
  const url = new URL(address);
  for (const name of ["result", "error"]) url.searchParams.delete(name);
  return url;
}
