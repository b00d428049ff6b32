import { failure } from "./errors.ts";
import { siteOf } from "./site.ts";
import { getOrInsert } from "./maps.ts";

/**
 * How much of a resource is in use at the same time: in total, and of one caller and one tenant.
 *
 * Each use has a number of units; one that has more than a limit runs alone.
 */
type Capacity = { size: number; perCaller: number; perTenant: number };

/** How many uses wait, in total and of one caller, and how long, in ms. */
type Queue = { queue: number; queuePerCaller: number; waitMs: number };

/** The limits of a shared resource, such as the connections of a pool. */
export type ShareLimits = Capacity & Queue;

type Key = string | bigint;
/** Who uses something: a user in a workspace, or a workspace of an account. */
export type Turn = { caller: Key; tenant: Key };
/** How many units of a key are in use, and the order of its last start. */
type Use = { running: number; startedAs: number };
type Waiter = Turn & { units: number; start: () => void; refuse: () => void };
type WaitersByKey = Map<Key, Waiter[]>;

/** How many keys are remembered without a running use. */
const maxIdle = 2_000;
const maxTenants = 10_000;
const unused: Use = { running: 0, startedAs: 0 };
const noQueue: Queue = { queue: 0, queuePerCaller: 0, waitMs: 0 };

/**
 * Shares a resource among callers.
 *
 * The tenant with the fewest running uses is next, and equal tenants take turns. The same rule
 * applies to the callers of a tenant; the uses of a caller start in the order of arrival. No caller
 * and no tenant can use everything: a use that has begun is not interrupted, so another caller would
 * wait for its end. When the queue is full, the busiest tenant's newest use is refused.
 *
 * Work that waits elsewhere, such as in the database, is started by `start` when `hasCapacity`.
 */
export class FairShare {
  readonly #limits: ShareLimits;
  readonly #refusal: (running: number) => Error;
  #running = 0;
  #waitingCount = 0;
  /** Whether the next use waits for the end of others, whoever they are. */
  #isBlocked = false;
  #starts = 0;
  readonly #byCaller = new Map<Key, Use>();
  readonly #byTenant = new Map<Key, Use>();
  /** The waiting uses by tenant and caller, in the order of their turns. */
  readonly #tenants = new Map<Key, WaitersByKey>();
  readonly #tenantOf = new Map<Key, Key>();

  /**
   * `refusal` makes the error of a use that has waited too long, or is refused without a queue. It
   * gets how many uses of the caller are running.
   */
  constructor(limits: Capacity & Partial<Queue>, refusal?: (running: number) => Error) {
    this.#limits = { ...noQueue, ...limits };
    this.#refusal = refusal ?? (() => overloaded("The service is busy. Try again later."));
  }

  /** How many units are in use. */
  get running(): number {
    return this.#running;
  }

  /** How many uses wait. */
  get waiting(): number {
    return this.#waitingCount;
  }

  /** Sets the tenant that later uses of a caller count for: the workspace of its last call. */
  assign(caller: string, tenant: string): void {
    if (this.#tenantOf.get(caller) === tenant) return;
    this.#tenantOf.delete(caller);
    this.#tenantOf.set(caller, tenant);
    const [oldest] = this.#tenantOf.keys();
    if (this.#tenantOf.size > maxTenants && oldest !== undefined) this.#tenantOf.delete(oldest);
  }

  /** Runs `use` in the caller's turn; 503 at once when too many wait, or after the longest wait. */
  async run<Result>(caller: string, use: () => Promise<Result>, units = 1): Promise<Result> {
    const turn = { caller, tenant: this.#tenantOf.get(caller) ?? siteOf(caller) };
    const started = this.#turnOf(turn, units);
    const end = typeof started === "function" ? started : await started;
    try {
      return await use();
    } finally {
      end();
    }
  }

  /** Waits for the caller's turn as `run` does; the returned function ends it. */
  async acquire(caller: string): Promise<() => void> {
    return this.#turnOf({ caller, tenant: caller }, 1);
  }

  /** Starts a use as soon as there is capacity that no other use waits for. */
  #turnOf(turn: Turn, units: number): (() => void) | Promise<() => void> {
    const isNext = !this.#isBlocked && !this.#tenants.has(turn.tenant);
    return isNext && this.hasCapacity(turn, units)
      ? this.start(turn, units)
      : this.#wait(turn, units);
  }

  /** Whether another use can start. */
  hasCapacity({ caller, tenant }: Turn, units = 1): boolean {
    const { size, perCaller, perTenant } = this.#limits;
    return (
      fits(this.#running, units, size) &&
      fits((this.#byCaller.get(caller) ?? unused).running, units, perCaller) &&
      fits((this.#byTenant.get(tenant) ?? unused).running, units, perTenant)
    );
  }

  /** Compares two turns; below 0 if the first one is next. */
  compare(one: Turn, other: Turn): number {
    return (
      compareUses(this.#byTenant, one.tenant, other.tenant) ||
      compareUses(this.#byCaller, one.caller, other.caller)
    );
  }

  /** Counts a use; the returned function ends it. */
  start({ caller, tenant }: Turn, units = 1): () => void {
    this.#running += units;
    const startedAs = ++this.#starts;
    const uses = [begin(this.#byCaller, caller, units), begin(this.#byTenant, tenant, units)];
    for (const use of uses) use.startedAs = startedAs;
    return () => {
      this.#running -= units;
      for (const use of uses) use.running -= units;
      this.#startWaiting();
    };
  }

  #wait({ caller, tenant }: Turn, units: number): Promise<() => void> {
    const { queue, queuePerCaller, waitMs } = this.#limits;
    const refusal = () => this.#refusal((this.#byCaller.get(caller) ?? unused).running);
    if (waitMs === 0) throw refusal();
    const ownWaiting = this.#tenants.get(tenant)?.get(caller)?.length ?? 0;
    if (ownWaiting >= queuePerCaller)
      throw overloaded("Too many of your calls are waiting. Send fewer at a time.");
    if (this.#waitingCount >= queue && !this.#makeSpace(caller, tenant)) {
      throw overloaded("The service is busy. Try again later.");
    }
    const callers: WaitersByKey = getOrInsert(this.#tenants, tenant, () => new Map());
    const waiters = getOrInsert(callers, caller, () => []);
    this.#waitingCount++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.#remove(waiter);
      };
      const waiter = {
        caller,
        tenant,
        units,
        start: () => {
          leave();
          moveToEnd(callers, caller);
          moveToEnd(this.#tenants, tenant);
          resolve(this.start(waiter, units));
        },
        refuse: () => {
          leave();
          reject(overloaded("Too many of your calls are waiting. Send fewer at a time."));
        },
      };
      const timer = setTimeout(() => {
        leave();
        reject(refusal());
        this.#startWaiting();
      }, waitMs);
      waiters.push(waiter);
      this.#startWaiting();
    });
  }

  /** Refuses the newest use of the busiest tenant or caller; false if the caller itself is that. */
  #makeSpace(caller: Key, tenant: Key): boolean {
    const ownCallers = this.#tenants.get(tenant);
    const largest = largestOf(this.#tenants, usesOf);
    const isOther = (ownCallers === undefined ? 0 : usesOf(ownCallers)) + 1 < largest.size;
    const callers = isOther ? largest.value : ownCallers;
    if (callers === undefined) return false;
    const { value: waiters, size } = largestOf(callers, ({ length }) => length);
    if (!isOther && (callers.get(caller)?.length ?? 0) + 1 >= size) return false;
    waiters?.at(-1)?.refuse();
    return true;
  }

  /** Starts the next uses. One that only the total has no space for keeps it from others. */
  #startWaiting(): void {
    const { size, perCaller, perTenant } = this.#limits;
    const next = () =>
      leastBusy(this.#tenants, this.#byTenant, perTenant, (callers) =>
        leastBusy(callers, this.#byCaller, perCaller, ([waiter]) => waiter),
      );
    let waiter = this.#waitingCount === 0 ? undefined : next();
    while (waiter !== undefined && fits(this.#running, waiter.units, size)) {
      waiter.start();
      waiter = next();
    }
    this.#isBlocked = waiter !== undefined;
  }

  #remove(waiter: Waiter): void {
    const callers = this.#tenants.get(waiter.tenant);
    const waiters = callers?.get(waiter.caller);
    const index = waiters?.indexOf(waiter) ?? -1;
    if (callers === undefined || waiters === undefined || index < 0) return;
    waiters.splice(index, 1);
    this.#waitingCount--;
    if (waiters.length === 0) callers.delete(waiter.caller);
    if (callers.size === 0) this.#tenants.delete(waiter.tenant);
  }
}

const usesOf = (callers: WaitersByKey): number => {
  let uses = 0;
  for (const { length } of callers.values()) uses += length;
  return uses;
};

/** The largest value of a map; the first of several. */
function largestOf<Value>(map: Map<Key, Value>, sizeOf: (value: Value) => number) {
  let largest: { value: Value | undefined; size: number } = { value: undefined, size: 0 };
  for (const value of map.values()) {
    const size = sizeOf(value);
    if (size > largest.size) largest = { value, size };
  }
  return largest;
}

/** Whether a use fits beside what is in use; alone it always does. */
const fits = (running: number, units: number, limit: number) =>
  running + units <= limit || (running === 0 && limit > 0);

/** The next waiter of the key with the fewest units in use that fits its limit. */
function leastBusy<Value>(
  waiting: Map<Key, Value>,
  uses: Map<Key, Use>,
  limit: number,
  nextOf: (value: Value) => Waiter | undefined,
): Waiter | undefined {
  let next: Waiter | undefined;
  let fewest = limit;
  for (const [key, value] of waiting) {
    const running = uses.get(key)?.running ?? 0;
    const first = running < fewest ? nextOf(value) : undefined;
    if (first === undefined || !fits(running, first.units, limit)) continue;
    [next, fewest] = [first, running];
    if (running === 0) break;
  }
  return next;
}

/** Gives a key the last turn; a key that has left stays away. */
function moveToEnd<Value>(map: Map<Key, Value>, key: Key): void {
  const value = map.get(key);
  if (value === undefined || !map.delete(key)) return;
  map.set(key, value);
}

/** Counts the units of a use of a key. Keys that were idle for long are forgotten. */
function begin(uses: Map<Key, Use>, key: Key, units: number): Use {
  const existing = uses.get(key);
  if (existing !== undefined) {
    existing.running += units;
    return existing;
  }
  if (uses.size >= maxIdle) {
    for (const [idle, { running }] of uses) if (running === 0) uses.delete(idle);
  }
  const use = { running: units, startedAs: 0 };
  uses.set(key, use);
  return use;
}

function compareUses(uses: Map<Key, Use>, one: Key, other: Key): number {
  if (one === other) return 0;
  const [first, second] = [uses.get(one) ?? unused, uses.get(other) ?? unused];
  return first.running - second.running || first.startedAs - second.startedAs;
}

const overloaded = (message: string) => failure("overloaded", message);
