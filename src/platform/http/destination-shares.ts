import { DestinationUse, type DestinationLimits } from "./destination-use.ts";

/** How many attempts one host gets at a time, and per second. */
export type HostLimits = { hostConcurrency: number; hostRate: number };

/** The use of a host and its addresses by one attempt. */
export type AttemptUse = {
  /** Counts it for the addresses of its host; false when one of them is at its limit. */
  connect(addresses: string[]): boolean;
  end(): void;
};

/** An address serves several hosts: it gets this many times the limits of a host. */
const hostsPerAddress = 2;

/**
 * Limits the attempts to hosts, over all workspaces, and to addresses, over all their names.
 *
 * Webhooks of many workspaces cannot flood one destination together.
 */
export class DestinationShares {
  readonly #limits: HostLimits;
  readonly #destinations = new Map<string, DestinationUse>();
  /** The addresses that hosts had at their last attempt. */
  readonly #addresses = new Map<string, string[]>();

  constructor(limits: HostLimits) {
    this.#limits = limits;
  }

  /** Whether the host and its addresses have capacity for another attempt of a workspace. */
  hasCapacity(host: string, workspaceId: bigint): boolean {
    return this.#destinationsOf(host).every((use) => use.hasCapacity(workspaceId));
  }

  /** How long until the rates of the host and its addresses allow another attempt. */
  waitMs(host: string): number {
    return Math.max(...this.#destinationsOf(host).map((use) => use.waitMs()));
  }

  /** Counts an attempt, for its host and the addresses that this had at the last one. */
  start(host: string, workspaceId: bigint): AttemptUse {
    const ends = new Map(this.#destinationsOf(host).map((use) => [use, use.start(workspaceId)]));
    return {
      connect: (addresses) => {
        this.#addresses.set(host, addresses);
        const added = addresses.map((key) => this.#addressOf(key)).filter((use) => !ends.has(use));
        if (!added.every((use) => use.accepts(workspaceId))) return false;
        for (const use of added) ends.set(use, use.start(workspaceId));
        return true;
      },
      end() {
        for (const end of ends.values()) end();
      },
    };
  }

  /**
   * Forgets hosts and addresses that have had no attempt for a second.
   *
   * The addresses of a host stay while one of them has attempts: attempts of the host would fail.
   */
  forgetIdle(): void {
    for (const [key, use] of this.#destinations) if (use.isIdle()) this.#destinations.delete(key);
    for (const [host, addresses] of this.#addresses) {
      const keys = [hostKey(host), ...addresses.map(addressKey)];
      if (!keys.some((key) => this.#destinations.has(key))) this.#addresses.delete(host);
    }
  }

  #destinationsOf(host: string): DestinationUse[] {
    const addresses = this.#addresses.get(host) ?? [];
    return [this.#hostOf(host), ...addresses.map((address) => this.#addressOf(address))];
  }

  #hostOf(host: string): DestinationUse {
    const { hostConcurrency: concurrency, hostRate: rate } = this.#limits;
    return this.#use(hostKey(host), { concurrency, rate, perWorkspace: concurrency });
  }

  #addressOf(address: string): DestinationUse {
    const { hostConcurrency, hostRate } = this.#limits;
    return this.#use(addressKey(address), {
      concurrency: hostConcurrency * hostsPerAddress,
      rate: hostRate * hostsPerAddress,
      perWorkspace: hostConcurrency,
    });
  }

  #use(key: string, limits: DestinationLimits): DestinationUse {
    const use = this.#destinations.get(key) ?? new DestinationUse(limits);
    this.#destinations.set(key, use);
    return use;
  }
}

const hostKey = (host: string) => `host ${host}`;
const addressKey = (address: string) => `address ${address}`;
