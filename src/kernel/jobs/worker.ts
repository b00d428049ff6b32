import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "../request/deps.ts";
import { claimFor, type Claim } from "./claim.ts";
import { isLong } from "./kinds.ts";
import { ensurePeriodic } from "./queue.ts";
import type { Leave } from "./lease.ts";
import { runNext, type Runners } from "./run.ts";

const pollMs = 1_000;
const ensureMs = 60_000;

/** The workers of this process; `stop` claims no new job and waits for running ones. */
export type Workers = { stop(): Promise<void> };

/** With fewer workers, the long job of one account would block those of all others. */
const minLongWorkers = 2;

/**
 * How many jobs wait for another service beside the workers. What they have received is in memory.
 */
const maxWaiting = 16;

/** Starts `count` workers, and half as many for long jobs. All processes share one queue. */
export function startWorkers(deps: Deps, count: number, runners: Runners): Workers {
  const stopping = new AbortController();
  const { signal } = stopping;
  const [long, short] = [ofLength(runners, true), ofLength(runners, false)];
  const longCount = count === 0 ? 0 : Math.max(minLongWorkers, Math.ceil(count / 2));
  const groups = [new Group(deps, short, count, () => claimFor(1), signal)];
  const claimLong = claimFor(longCount);
  groups.push(new Group(deps, long, longCount, () => claimLong, signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(groups.map((group) => group.ended()));
    },
  };
}

/**
 * Some workers. While the job of one waits for another service, another worker takes its place, and
 * one ends when there are too many.
 */
class Group {
  readonly #deps: Deps;
  readonly #runners: Partial<Runners>;
  readonly #size: number;
  readonly #claim: () => Claim;
  readonly #stopping: AbortSignal;
  readonly #workers = new Set<Promise<void>>();
  #active = 0;
  #waiting = 0;

  constructor(
    deps: Deps,
    runners: Partial<Runners>,
    size: number,
    claim: () => Claim,
    stopping: AbortSignal,
  ) {
    this.#deps = deps;
    this.#runners = runners;
    this.#size = size;
    this.#claim = claim;
    this.#stopping = stopping;
    this.#fill();
  }

  async ended(): Promise<void> {
    while (this.#workers.size > 0) await Promise.all(this.#workers);
  }

  #fill() {
    while (this.#active < this.#size && !this.#stopping.aborted) {
      this.#active += 1;
      const worker = this.#work().finally(() => {
        this.#active -= 1;
        this.#workers.delete(worker);
      });
      this.#workers.add(worker);
    }
  }

  /** Frees the worker of a job that waits; the returned function ends that. */
  readonly #leave: Leave = () => {
    if (this.#waiting >= maxWaiting) return undefined;
    this.#waiting += 1;
    this.#active -= 1;
    this.#fill();
    return () => {
      this.#waiting -= 1;
      this.#active += 1;
    };
  };

  async #work(): Promise<void> {
    const claim = this.#claim();
    let ensuredAt = Number.NEGATIVE_INFINITY;
    while (!this.#stopping.aborted && this.#active <= this.#size) {
      try {
        if (performance.now() - ensuredAt > ensureMs) {
          await ensurePeriodic(this.#deps.db.write, this.#deps.clock());
          ensuredAt = performance.now();
        }
        const run = { stopping: this.#stopping, claim, leave: this.#leave };
        if (await runNext(this.#deps, this.#runners, run)) continue;
      } catch (error) {
        this.#deps.log.warn({ err: error }, "reading the job queue failed");
      }
      const ms = pollMs * (0.5 + Math.random());
      await pause(ms, undefined, { signal: this.#stopping }).catch(() => undefined);
    }
  }
}

const ofLength = (runners: Runners, long: boolean): Partial<Runners> =>
  Object.fromEntries(Object.entries(runners).filter(([kind]) => isLong(kind) === long));
