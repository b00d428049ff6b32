/** Where changes and copies of boards are stored: values that can be cloned, by keys that sort. */
export type Persistence = {
  /** The entries whose key starts with a prefix, sorted by key. */
  entries(prefix: string): Promise<[key: string, value: unknown][]>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
};

/** Stores in this process, until the page is closed. */
export function memoryPersistence(): Persistence {
  const values = new Map<string, unknown>();
  return {
    entries: async (prefix) =>
      [...values]
        .filter(([key]) => key.startsWith(prefix))
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    async set(key, value) {
      values.set(key, value);
    },
    async delete(key) {
      values.delete(key);
    },
  };
}

// The part of IndexedDB that is used here; Node.js lacks it.
type EventName = "success" | "error" | "upgradeneeded";
type Request<T> = {
  result: T;
  error: Error;
  addEventListener(type: EventName, listener: () => void): void;
};
type Entries = {
  getAllKeys(range: unknown): Request<string[]>;
  getAll(range: unknown): Request<unknown[]>;
  put(value: unknown, key: string): Request<unknown>;
  delete(key: string): Request<unknown>;
};
type Database = {
  transaction(name: string, mode: "readonly" | "readwrite"): { objectStore(name: string): Entries };
  createObjectStore(name: string): void;
};
type Browser = {
  indexedDB?: {
    open(name: string, version: number): Request<Database>;
  };
  IDBKeyRange: { bound(from: string, to: string): unknown };
};

const table = "entries";

const answerOf = <T>(request: Request<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });

/** Stores in the IndexedDB of the browser, for all tabs of the site. */
export function indexedDbPersistence(name: string): Persistence {
  const { indexedDB, IDBKeyRange } = globalThis as unknown as Browser;
  if (indexedDB === undefined) throw new Error("This platform has no IndexedDB.");
  let opened: Promise<Database> | undefined;
  const open = () => {
    const request = indexedDB.open(name, 1);
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore(table));
    return answerOf(request);
  };
  const entriesIn = async (mode: "readonly" | "readwrite") =>
    (await (opened ??= open())).transaction(table, mode).objectStore(table);
  return {
    async entries(prefix) {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const stored = await entriesIn("readonly");
      const [keys, values] = await Promise.all([
        answerOf(stored.getAllKeys(range)),
        answerOf(stored.getAll(range)),
      ]);
      return keys.map((key, nth) => [key, values[nth]]);
    },
    async set(key, value) {
      await answerOf((await entriesIn("readwrite")).put(value, key));
    },
    async delete(key) {
      await answerOf((await entriesIn("readwrite")).delete(key));
    },
  };
}

/** The storage that an option names. */
export function persistenceOf(option: "memory" | "indexeddb" | Persistence, name: string) {
  if (typeof option === "object") return option;
  return option === "memory" ? memoryPersistence() : indexedDbPersistence(name);
}
