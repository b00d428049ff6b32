import type { Persistence } from "./types.ts";

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
  commit(): void;
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

const responseOf = <T>(request: Request<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });

/** Stores in a database of the browser. */
export function openIndexedDb(name: string): Persistence {
  const browser = globalThis as unknown as Browser;
  let opened: Promise<Database> | undefined;
  const open = () => {
    // A browser that blocks cookies throws where it is read.
    const { indexedDB } = browser;
    if (indexedDB === undefined) throw new Error("This platform has no IndexedDB.");
    const request = indexedDB.open(name, 1);
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore(table));
    return responseOf(request);
  };
  /** Runs a transaction; once more after a failure: browsers close databases. */
  const run = async <T>(mode: Mode, use: (begun: Transaction) => Promise<T>): Promise<T> => {
    const once = async () => use((await (opened ??= open())).transaction(table, mode));
    try {
      return await once();
    } catch {
      opened = undefined;
      return once();
    }
  };
  const write = (change: (entries: Entries) => void) =>
    run("readwrite", async (transaction) => {
      change(transaction.objectStore(table));
      // Without it a page that is left at this moment would abort what it has written.
      transaction.commit();
      await new Promise<void>((resolve, reject) => {
        transaction.addEventListener("complete", resolve);
        transaction.addEventListener("abort", () => reject(transaction.error));
      });
    });
  return {
    entries: (prefix) =>
      run("readonly", async (transaction) => {
        const objects = transaction.objectStore(table);
        const range = browser.IDBKeyRange.bound(prefix, `${prefix}\uffff`);
        const [keys, values] = await Promise.all([
          responseOf(objects.getAllKeys(range)),
          responseOf(objects.getAll(range)),
        ]);
        return keys.map((key, nth) => [key, values[nth]]);
      }),
    set: (key, value) => write((entries) => void entries.put(value, key)),
    delete: (key) => write((entries) => void entries.delete(key)),
  };
}
