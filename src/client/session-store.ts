/** The tokens of a signed-in user. */
export type Session = { accessToken: string; refreshToken: string };

/** Where a session is stored. Tabs that share a store share the session. */
export type SessionStore = {
  load(): Session | null | Promise<Session | null>;
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

/** Stores the session in the `localStorage` of the browser, for all tabs of the site. */
export function localStore(key: string): SessionStore {
  const storage = browser.localStorage;
  if (storage === undefined) throw new Error("This platform has no localStorage.");
  return {
    load() {
      try {
        return JSON.parse(storage.getItem(key) ?? "null") as Session | null;
      } catch {
        return null;
      }
    },
    save(session) {
      if (session === null) storage.removeItem(key);
      else storage.setItem(key, JSON.stringify(session));
    },
  };
}

const queues = new Map<string, Promise<unknown>>();

/** Runs one function at a time for a name: in all tabs where Web Locks exist, else in this one. */
export function exclusive<T>(name: string, run: () => Promise<T>): Promise<T> {
  const locks = browser.navigator?.locks;
  if (locks) return locks.request(name, run);
  const turn = (queues.get(name) ?? Promise.resolve()).then(run, run);
  const settled = turn.catch(() => undefined);
  queues.set(name, settled);
  void settled.then(() => queues.get(name) === settled && queues.delete(name));
  return turn;
}
