import { warn, type OnWarning } from "./warnings.ts";

/** The tokens of a signed-in user. */
export type Session = {
  /** Sent with each request, and valid for 15 minutes. */
  accessToken: string;
  /** Gets new tokens, once. */
  refreshToken: string;
  /** When they were received, by the clock of this machine, in ms since 1970. */
  receivedAt?: number;
};

/** The session of tokens that were just received. */
export const received = ({ accessToken, refreshToken }: Session): Session => ({
  accessToken,
  refreshToken,
  receivedAt: Date.now(),
});

/** Where a session is stored. Tabs that share a store share the session. */
export type SessionStore = {
  /** The stored session; null without one. */
  load(): Session | null | Promise<Session | null>;
  /** Stores a session; null removes it. */
  save(session: Session | null): void | Promise<void>;
};

// The parts of the browser that are used here; Node.js lacks them.
type Browser = {
  localStorage?: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
  };
  navigator?: {
    locks?: { request<T>(name: string, run: () => Promise<T>): Promise<T> } | null;
  };
};
const browser = globalThis as unknown as Browser;

/** Stores the session in this process, until the page is closed. */
export function memoryStore(session: Session | null = null): SessionStore {
  let current = session;
  return {
    load: () => current,
    save(next) {
      current = next;
    },
  };
}

/**
 * Stores the session in the `localStorage` of the browser, for all tabs of the site.
 *
 * Where the browser refuses to store it, the session stays in memory until the page is closed.
 */
export function localStore(key: string, onWarning: OnWarning = warn): SessionStore {
  /** The session that could not be stored. */
  let unstored: Session | null | undefined;
  // A browser that blocks cookies throws where the storage is read.
  const storage = () => {
    const { localStorage } = browser;
    if (localStorage === undefined) throw new Error("This platform has no localStorage.");
    return localStorage;
  };
  const write = (session: Session | null) =>
    session === null ? storage().removeItem(key) : storage().setItem(key, JSON.stringify(session));
  return {
    load() {
      if (unstored !== undefined) return unstored;
      try {
        return JSON.parse(storage().getItem(key) ?? "null") as Session | null;
      } catch {
        return null;
      }
    },
    save(session) {
      try {
        write(session);
        unstored = undefined;
      } catch (error) {
        if (unstored === undefined && session !== null) onWarning(notStored, error);
        unstored = session;
        try {
          // A reload must not find the previous tokens: they were used.
          write(null);
        } catch {
          // It is in memory.
        }
      }
    },
  };
}

const notStored = "The session is not stored: it ends when the page is closed.";

const queues = new Map<string, Promise<unknown>>();

/**
 * Runs one function at a time for a name: in all tabs where Web Locks exist, otherwise in this
 * one.
 */
export async function exclusive<T>(name: string, run: () => Promise<T>): Promise<T> {
  let running: Promise<T> | undefined;
  try {
    await browser.navigator?.locks?.request(name, () => (running = run()));
  } catch {
    // Pages without storage have locks that throw; the failure of `run` is thrown below.
  }
  if (running !== undefined) return running;
  const turn = (queues.get(name) ?? Promise.resolve()).then(run, run);
  const settled = turn.catch(() => undefined);
  queues.set(name, settled);
  void settled.then(() => queues.get(name) === settled && queues.delete(name));
  return turn;
}
