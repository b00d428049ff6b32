/** Where changes and copies of boards are stored: values that can be cloned, by keys that sort. */
export type Persistence = {
  /** The entries whose key starts with a prefix, sorted by key. */
  entries(prefix: string): Promise<[key: string, value: unknown][]>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
};

const sorted = (entries: Iterable<[string, unknown]>) =>
  [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Stores in this process, until the page is closed. */
export function memoryPersistence(): Persistence {
  const values = new Map<string, unknown>();
  return {
    entries: async (prefix) => sorted(values).filter(([key]) => key.startsWith(prefix)),
    async set(key, value) {
      values.set(key, value);
    },
    async delete(key) {
      values.delete(key);
    },
  };
}

/** Stores in memory what a storage cannot store: it cannot be opened, or it is full. */
function withMemory(storage: Persistence): Persistence {
  const memory = memoryPersistence();
  // Undefined in memory: the entry is deleted, though the storage still has it.
  const write = (key: string, value: unknown, written: Promise<void>) =>
    written.then(
      () => memory.delete(key),
      () => memory.set(key, value),
    );
  return {
    async entries(prefix) {
      const stored = await storage.entries(prefix).catch(() => []);
      const all = new Map([...stored, ...(await memory.entries(prefix))]);
      return sorted(all).filter(([, value]) => value !== undefined);
    },
    set: (key, value) => write(key, value, storage.set(key, value)),
    delete: (key) => write(key, undefined, storage.delete(key)),
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
type Mode = "readonly" | "readwrite";
type Transaction = {
  error: Error | null;
  objectStore(name: string): Entries;
  addEventListener(type: "complete" | "abort", listener: () => void): void;
};
type Database = {
  transaction(name: string, mode: Mode): Transaction;
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
  const begin = async (mode: Mode) => {
    try {
      return (await (opened ??= open())).transaction(table, mode);
    } catch (error) {
      // The next access opens it again: browsers close databases.
      opened = undefined;
      throw error;
    }
  };
  const write = async (change: (entries: Entries) => void) => {
    const transaction = await begin("readwrite");
    change(transaction.objectStore(table));
    await new Promise<void>((resolve, reject) => {
      transaction.addEventListener("complete", resolve);
      transaction.addEventListener("abort", () => reject(transaction.error));
    });
  };
  return {
    async entries(prefix) {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const stored = (await begin("readonly")).objectStore(table);
      const [keys, values] = await Promise.all([
        answerOf(stored.getAllKeys(range)),
        answerOf(stored.getAll(range)),
      ]);
      return keys.map((key, nth) => [key, values[nth]]);
    },
    set: (key, value) => write((entries) => void entries.put(value, key)),
    delete: (key) => write((entries) => void entries.delete(key)),
  };
}

/** The storage that an option names, with memory for what it refuses. */
export function persistenceOf(option: "memory" | "indexeddb" | Persistence, name: string) {
  if (option === "memory") return memoryPersistence();
  return withMemory(typeof option === "object" ? option : indexedDbPersistence(name));
}
