import { FairShare } from "../fair-share.ts";
import { TokenBucket } from "../token-bucket.ts";
import { getOrInsert } from "../maps.ts";

/** How many attempts one host gets at a time, and per second. */
export type HostLimits = { hostConcurrency: number; hostRate: number };

/** The use of a host and its addresses by one attempt. */
export type AttemptUse = {
  /** Counts it for the addresses of its host; false when one of them is at its limit. */
  connect(addresses: string[]): boolean;
  end(): void;
};

/** What one host or one address gets: attempts at a time, also of one workspace, and per second. */
type Destination = { share: FairShare; rate: TokenBucket };

/** An address serves several hosts: it gets this many times the limits of a host. */
const hostsPerAddress = 2;

/**
 * Limits the attempts to hosts, over all workspaces, and to addresses, over all their names.
 *
 * Webhooks of many workspaces cannot flood one destination together.
 */
export class DestinationShares {
  readonly #limits: HostLimits;
  readonly #destinations = new Map<string, Destination>();
  /** The addresses that hosts had at their last attempt. */
  readonly #addresses = new Map<string, string[]>();

  constructor(limits: HostLimits) {
    this.#limits = limits;
  }

  /** Whether the host and its addresses have capacity for another attempt of a workspace. */
  hasCapacity(host: string, workspaceId: bigint): boolean {
    return this.#destinationsOf(host).every(({ share }) => share.hasCapacity(turnOf(workspaceId)));
  }

  /** How long until the rates of the host and its addresses allow another attempt. */
  waitMs(host: string): number {
    return Math.max(...this.#destinationsOf(host).map(({ rate }) => rate.waitMs()));
  }

  /** Counts an attempt, for its host and the addresses that this had at the last one. */
  start(host: string, workspaceId: bigint): AttemptUse {
    const turn = turnOf(workspaceId);
    const used = new Map<Destination, () => void>();
    const use = (destination: Destination) => {
      destination.rate.take();
      used.set(destination, destination.share.start(turn));
    };
    this.#destinationsOf(host).forEach(use);
    return {
      connect: (addresses) => {
        this.#addresses.set(host, addresses);
        const added = addresses
          .map((key) => this.#addressOf(key))
          .filter((destination) => !used.has(destination));
        const isFree = ({ share, rate }: Destination) =>
          share.hasCapacity(turn) && rate.waitMs() === 0;
        if (!added.every(isFree)) return false;
        added.forEach(use);
        return true;
      },
      end() {
        for (const end of used.values()) end();
      },
    };
  }

  /**
   * Forgets hosts and addresses that have had no attempt for a second.
   *
   * The addresses of a host stay while one of them has attempts: attempts of the host would fail.
   */
  forgetIdle(): void {
    for (const [key, { share, rate }] of this.#destinations) {
      if (share.running === 0 && rate.isFull()) this.#destinations.delete(key);
    }
    for (const [host, addresses] of this.#addresses) {
      const keys = [hostKey(host), ...addresses.map(addressKey)];
      if (!keys.some((key) => this.#destinations.has(key))) this.#addresses.delete(host);
    }
  }

  #destinationsOf(host: string): Destination[] {
    const addresses = this.#addresses.get(host) ?? [];
    return [this.#use(hostKey(host), 1), ...addresses.map((address) => this.#addressOf(address))];
  }

  #addressOf(address: string): Destination {
    return this.#use(addressKey(address), hostsPerAddress);
  }

  #use(key: string, hosts: number): Destination {
    return getOrInsert(this.#destinations, key, () => {
      const { hostConcurrency: perTenant, hostRate } = this.#limits;
      const share = new FairShare({ size: perTenant * hosts, perCaller: perTenant, perTenant });
      return { share, rate: new TokenBucket(hostRate * hosts) };
    });
  }
}

const turnOf = (workspaceId: bigint) => ({ caller: workspaceId, tenant: workspaceId });
const hostKey = (host: string) => `host ${host}`;
const addressKey = (address: string) => `address ${address}`;
