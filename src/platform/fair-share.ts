import { failure } from "./errors.ts";
import { siteOf } from "./site.ts";

/** The limits of a shared resource, such as the connections of a pool. */
export type ShareLimits = {
  /** How many uses run at the same time, and how many of them one caller and one tenant have. */
  size: number;
  perCaller: number;
  perTenant: number;
  /** How many uses wait, and how many of them one caller has. */
  queue: number;
  queuePerCaller: number;
  /** How long a use waits, in ms. */
  waitMs: number;
};

type Waiter = { tenant: string; start: () => void; refuse: () => void };
type Waiting = Map<string, Waiter[]>;

const maxTenants = 10_000;

/**
 * Shares a resource among callers.
 *
 * Free capacity goes to tenants in turn, within a tenant to its callers in turn, and within a
 * caller in the order of arrival. No caller and no tenant can use everything: a use that has begun
 * is not interrupted, so another caller would wait for its end. At a full queue, the tenant and the
 * caller with the most waiting uses lose the newest one to a caller with fewer.
 */
export class FairShare {
  readonly #limits: ShareLimits;
  #running = 0;
  #waitingCount = 0;
  readonly #byCaller = new Map<string, number>();
  readonly #byTenant = new Map<string, number>();
  /** The waiting uses by tenant and caller, in the order of their turns. */
  readonly #tenants = new Map<string, Waiting>();
  readonly #tenantOf = new Map<string, string>();

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** How many uses wait. */
  get waiting(): number {
    return this.#waitingCount;
  }

  /** Counts the later uses of a caller for a tenant, such as the workspace of the last call. */
  assign(caller: string, tenant: string): void {
    if (this.#tenantOf.get(caller) === tenant) return;
    this.#tenantOf.delete(caller);
    this.#tenantOf.set(caller, tenant);
    const [oldest] = this.#tenantOf.keys();
    if (this.#tenantOf.size > maxTenants && oldest !== undefined) this.#tenantOf.delete(oldest);
  }

  /** Runs `use` in the caller's turn; 503 at once when too many wait, or after the longest wait. */
  async run<Result>(caller: string, use: () => Promise<Result>): Promise<Result> {
    const tenant = this.#tenantOf.get(caller) ?? siteOf(caller);
    if (this.#mayStart(caller, tenant)) this.#start(caller, tenant);
    else await this.#wait(caller, tenant);
    try {
      return await use();
    } finally {
      this.#end(caller, tenant);
    }
  }

  #mayStart(caller: string, tenant: string): boolean {
    return (
      this.#running < this.#limits.size &&
      (this.#byCaller.get(caller) ?? 0) < this.#limits.perCaller &&
      (this.#byTenant.get(tenant) ?? 0) < this.#limits.perTenant
    );
  }

  #start(caller: string, tenant: string): void {
    this.#running++;
    add(this.#byCaller, caller, 1);
    add(this.#byTenant, tenant, 1);
  }

  #end(caller: string, tenant: string): void {
    this.#running--;
    add(this.#byCaller, caller, -1);
    add(this.#byTenant, tenant, -1);
    if (this.#waitingCount > 0) this.#startNext();
  }

  #wait(caller: string, tenant: string): Promise<void> {
    const { queue, queuePerCaller, waitMs } = this.#limits;
    const own = this.#tenants.get(tenant)?.get(caller)?.length ?? 0;
    if (own >= queuePerCaller) throw overloaded("Too many of your calls are waiting.");
    if (this.#waitingCount >= queue && !this.#makeSpace(caller, tenant)) {
      throw overloaded("Too many calls are waiting.");
    }
    const callers: Waiting = this.#tenants.get(tenant) ?? new Map<string, Waiter[]>();
    const waiters = callers.get(caller) ?? [];
    this.#tenants.set(tenant, callers.set(caller, waiters));
    this.#waitingCount++;
    return new Promise((resolve, reject) => {
      const waiter = {
        tenant,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: () => {
          clearTimeout(timer);
          this.#remove(caller, waiter);
          reject(overloaded("Too many of your calls are waiting."));
        },
      };
      const timer = setTimeout(() => {
        this.#remove(caller, waiter);
        reject(overloaded(`The call has waited for ${waitMs / 1000} s.`));
      }, waitMs);
      waiters.push(waiter);
    });
  }

  /** Refuses the newest use of those with the most, if the caller has fewer; false otherwise. */
  #makeSpace(caller: string, tenant: string): boolean {
    const own = this.#tenants.get(tenant);
    const largest = largestOf(this.#tenants, usesOf);
    const isOther = (own === undefined ? 0 : usesOf(own)) + 1 < largest.size;
    const callers = isOther ? largest.value : own;
    if (callers === undefined) return false;
    const { value: waiters, size } = largestOf(callers, ({ length }) => length);
    if (!isOther && (callers.get(caller)?.length ?? 0) + 1 >= size) return false;
    waiters?.at(-1)?.refuse();
    return true;
  }

  #startNext(): void {
    for (const [tenant, callers] of this.#tenants) {
      for (const [caller, waiters] of callers) {
        const [waiter] = waiters;
        if (waiter === undefined || !this.#mayStart(caller, tenant)) continue;
        this.#remove(caller, waiter);
        moveToEnd(callers, caller);
        moveToEnd(this.#tenants, tenant);
        this.#start(caller, tenant);
        waiter.start();
        return;
      }
    }
  }

  #remove(caller: string, waiter: Waiter): void {
    const callers = this.#tenants.get(waiter.tenant);
    const waiters = callers?.get(caller);
    const index = waiters?.indexOf(waiter) ?? -1;
    if (callers === undefined || waiters === undefined || index < 0) return;
    waiters.splice(index, 1);
    this.#waitingCount--;
    if (waiters.length === 0) callers.delete(caller);
    if (callers.size === 0) this.#tenants.delete(waiter.tenant);
  }
}

const usesOf = (callers: Waiting): number => {
  let uses = 0;
  for (const { length } of callers.values()) uses += length;
  return uses;
};

/** The largest value of a map; the first of several. */
function largestOf<Value>(map: Map<string, Value>, sizeOf: (value: Value) => number) {
  let largest: { value: Value | undefined; size: number } = { value: undefined, size: 0 };
  for (const value of map.values()) {
    const size = sizeOf(value);
    if (size > largest.size) largest = { value, size };
  }
  return largest;
}

/** Changes the count of a key; a count of 0 has no entry. */
function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** Gives a key the last turn; a key that has left stays away. */
function moveToEnd<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key);
  if (value === undefined || !map.delete(key)) return;
  map.set(key, value);
}

const overloaded = (message: string) => failure("overloaded", message);
