import { isOffline } from "../errors.ts";
import type { Client } from "../index.ts";
import type { LoginAuthInput, RegisterAuthInput, User } from "../router.ts";
import type { ReturnedOptions } from "../sign-in-with.ts";
import { createStore } from "./core.ts";
import { Listeners } from "./listeners.ts";
import type { StoreOptions } from "./options.ts";
import type { Store } from "./store.ts";
import type { Stop } from "./types.ts";

/** The session of this browser: a signed-in user has a store. */
export type SessionState =
  | {
      /** `loading` until it is known who is signed in. */
      readonly status: "loading" | "signed-out";
      /** Nobody is signed in. */
      readonly user: undefined;
      /** There is none without a user. */
      readonly store: undefined;
    }
  | {
      /** A user is signed in. */
      readonly status: "signed-in";
      /** The signed-in user. */
      readonly user: User;
      /** The store of the user. */
      readonly store: Store;
    };

/** The signed-in user of all tabs, and a store for each user. */
export type UserSession = {
  /** The state now: the same object until it changes. */
  readonly get: () => SessionState;
  /** Calls a function when a user has signed in or out, in any tab. */
  readonly subscribe: (listener: () => void) => Stop;
  /** Signs in. */
  readonly signIn: (input: LoginAuthInput) => Promise<void>;
  /** Finishes a sign-in that threw `second_factor_required`; without a code by a passkey. */
  readonly confirm: (input?: { code?: string }) => Promise<void>;
  /** Creates an account, and signs in. */
  readonly register: (input: RegisterAuthInput) => Promise<void>;
  /** Finishes a sign-in through a provider; false on a page that none returned to. */
  readonly finishSignIn: (options?: ReturnedOptions) => Promise<boolean>;
  /** Signs out, also offline: nothing of the user stays in the browser. */
  readonly signOut: () => Promise<void>;
};

/** The options of a session: those of its stores, with `name` in front of the id of the user. */
export type SessionOptions = Omit<StoreOptions, "user"> & {
  /** The user of a cookie or token, as `user.me` shows it. Its sign-out is work of your server. */
  user?: User;
};

// The part of the browser that is used here; Node.js lacks it.
type Browser = {
  localStorage?: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
  };
  addEventListener?(type: "storage", listener: (event: { key: string | null }) => void): void;
};
const browser = globalThis as unknown as Browser;

const stateOf = (status: "loading" | "signed-out"): SessionState =>
  ({ status, user: undefined, store: undefined }) as const;

/** The user as it is stored, so that a page starts offline; null after a sign-out. */
function storedUser(key: string) {
  const attempt = <Result>(run: () => Result): Result | undefined => {
    try {
      return run();
    } catch {
      // A browser that blocks storage throws: the session lasts until the page is closed.
      return undefined;
    }
  };
  return {
    load: () => attempt(() => JSON.parse(browser.localStorage?.getItem(key) ?? "") as User | null),
    save: (user: User | null) =>
      attempt(() => browser.localStorage?.setItem(key, JSON.stringify(user))),
    /** Calls a function when another tab has stored or removed it. */
    onChange: (listener: () => void) =>
      browser.addEventListener?.("storage", (event) => {
        if (event.key === key || event.key === null) listener();
      }),
    remove: () => attempt(() => browser.localStorage?.removeItem(key)),
  };
}

/** The state of a session; `open` makes the store of a user. */
function stateOfUsers({ account }: Client, open: (user: User) => Store) {
  const listeners = new Listeners();
  let state: SessionState = stateOf("loading");
  const set = (next: SessionState) => {
    state = next;
    listeners.notify();
  };
  return {
    get: () => state,
    subscribe: (listener: () => void) => listeners.add(listener),
    start: (user: User) => {
      if (state.user?.publicId === user.publicId) return;
      state.store?.close();
      account.use(user.publicId);
      set({ status: "signed-in", user, store: open(user) });
    },
    /** Ends the session. Unsent changes wait for the next one, except after a sign-out. */
    end: async (isRemoved: boolean) => {
      const { store } = state;
      if (state.status !== "signed-out") set(stateOf("signed-out"));
      if (isRemoved) await store?.clear();
      store?.close();
      if (state.store === undefined) account.use(undefined);
    },
  };
}

/** The user of a stored session; undefined if there is none, or the service cannot be reached. */
async function signedInUser({ account, user }: Client): Promise<User | undefined> {
  try {
    return (await account.isSignedIn()) ? await user.me() : undefined;
  } catch {
    return undefined;
  }
}

const unlessOffline = (error: unknown) => {
  if (!isOffline(error)) throw error;
};

/** Follows who is signed in. Each user has a store with its own name. */
export function createSession(client: Client, options: SessionOptions = {}): UserSession {
  const { user: givenUser, name = "boards", outbox = "indexeddb", ...more } = options;
  const savedUser = storedUser(`${name} user`);
  const { get, subscribe, start, end } = stateOfUsers(client, (user) =>
    createStore(client, { ...more, outbox, user, name: `${name} ${user.publicId}` }),
  );
  let isSigningOut = false;

  const startAs = (user: User) => {
    savedUser.save(user);
    start(user);
  };
  const resume = async () => {
    const initialUser = givenUser ?? savedUser.load();
    if (initialUser) return start(initialUser);
    const user = await signedInUser(client);
    if (user !== undefined) return startAs(user);
    if (get().status === "loading") await end(false);
  };

  client.account.onSignedOut(() => {
    if (isSigningOut) return;
    savedUser.remove();
    void end(false);
  });
  /** Does what another tab has done. */
  const follow = () => {
    const user = savedUser.load();
    return user ? start(user) : void end(user === null);
  };
  savedUser.onChange(follow);
  void resume();

  return {
    get,
    subscribe,
    signIn: async (input) => startAs(await client.account.signIn(input)),
    confirm: async (input) => startAs(await client.account.confirm(input)),
    register: async (input) => startAs(await client.account.register(input)),
    async finishSignIn(returned) {
      const user = await client.account.finishSignIn(returned);
      if (user !== null) startAs(user);
      return user !== null;
    },
    async signOut() {
      const { user } = get();
      const current = savedUser.load();
      // The browser has not told this tab yet that another user has signed in.
      if (user && current && user.publicId !== current.publicId) return follow();
      isSigningOut = true;
      try {
        await client.account.signOut().catch(unlessOffline);
      } finally {
        isSigningOut = false;
        savedUser.save(null);
        await end(true);
      }
    },
  };
}
