import { warn, type OnWarning } from "../warnings.ts";
import { run } from "./listeners.ts";
import type { Persistence } from "./types.ts";

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
function withMemory(storage: Persistence, onWarning: OnWarning): Persistence {
  const memory = memoryPersistence();
  let isWarned = false;
  // Undefined in memory: the entry is deleted, though the storage still has it.
  const write = (key: string, value: unknown, writing: Promise<void>) =>
    writing.then(
      () => memory.delete(key),
      (error: unknown) => {
        if (!isWarned) run(onWarning, "Unsent changes are not stored: a reload loses them.", error);
        isWarned = true;
        return memory.set(key, value);
      },
    );
  return {
    async entries(prefix) {
      const stored = await storage.entries(prefix).catch(() => []);
      const entries = new Map([...stored, ...(await memory.entries(prefix))]);
      return sorted(entries).filter(([, value]) => value !== undefined);
    },
    set: (key, value) => write(key, value, storage.set(key, value)),
    delete: (key) => write(key, undefined, storage.delete(key)),
  };
}

/** Stores in the IndexedDB of the browser, for all tabs of the site. It is loaded at first use. */
export function indexedDbPersistence(name: string): Persistence {
  let opened: Promise<Persistence> | undefined;
  const open = () =>
    (opened ??= import("./indexed-db.ts").then(({ openIndexedDb }) => openIndexedDb(name)));
  return {
    entries: async (prefix) => (await open()).entries(prefix),
    set: async (key, value) => (await open()).set(key, value),
    delete: async (key) => (await open()).delete(key),
  };
}

/** The storage that an option names, with memory for what it refuses. */
export const persistenceOf = (
  option: "memory" | "indexeddb" | Persistence,
  name: string,
  onWarning: OnWarning = warn,
): Persistence =>
  option === "memory"
    ? memoryPersistence()
    : withMemory(typeof option === "object" ? option : indexedDbPersistence(name), onWarning);
