import { siteOf } from "../../platform/site.ts";
import { tooManyRequests } from "../../platform/errors.ts";
import { countInMemory, type Usage } from "./counts.ts";

/** The headers of the limit that a call counts for. */
export type LimitHeaders = { "RateLimit-Policy": string; RateLimit: string };

/**
 * Counts up to `points` units per key within `duration` seconds; past it `count` throws 429.
 *
 * It counts in memory, unless `countsOf` says where.
 */
export function limiter(
  name: string,
  points: number,
  duration: number,
  unit = "calls",
  countsOf = countInMemory,
) {
  const counts = countsOf(name, points, duration);
  const policy = `"${name}";q=${points};w=${duration}`;
  const headersOf = (usage: Usage): LimitHeaders => {
    const left = Math.max(points - usage.points, 0);
    const seconds = Math.ceil(usage.msBeforeNext / 1000);
    return { "RateLimit-Policy": policy, RateLimit: `"${name}";r=${left};t=${seconds}` };
  };
  const exceeded = (usage: Usage) =>
    tooManyRequests(
      "rate_limited",
      `Rate limit exceeded: ${points} ${unit} in ${duration} s.`,
      usage.msBeforeNext / 1000,
      headersOf(usage),
    );
  const spentUsage = async (key: string): Promise<Usage | undefined> => {
    const usage = await counts.read(key);
    return usage !== undefined && usage.points >= points ? usage : undefined;
  };
  return {
    async count(key: string, count: number): Promise<LimitHeaders> {
      const usage = await counts.add(key, count);
      if (usage.points > points) throw exceeded(usage);
      return headersOf(usage);
    },
    /** Counts as `count` does, but not what is refused: less may still fit. */
    async spend(key: string, count: number): Promise<LimitHeaders> {
      try {
        return await this.count(key, count);
      } catch (error) {
        await this.refund(key, count);
        throw error;
      }
    },
    /** Throws past the limit, and counts nothing. */
    async check(key: string): Promise<void> {
      const usage = await spentUsage(key);
      if (usage !== undefined) throw exceeded(usage);
    },
    /** Counts, also past the limit. */
    add: async (key: string, count: number): Promise<LimitHeaders> =>
      headersOf(await counts.add(key, count)),
    refund: (key: string, count: number): Promise<void> => counts.refund(key, count),
    isSpent: async (key: string): Promise<boolean> => (await spentUsage(key)) !== undefined,
    reset: (key: string): Promise<void> => counts.remove(key),
  };
}

/** A site, which has many networks, gets this many times the limit of one. */
const networksPerSite = 10;

/** Counts for networks of clients, and for the sites that they are in. */
export function networkLimiter(
  name: string,
  points: number,
  duration: number,
  countsOf = countInMemory,
): Limiter {
  const networks = limiter(name, points, duration, "calls", countsOf);
  const sites = limiter(`${name}-site`, points * networksPerSite, duration, "calls", countsOf);
  const siteApart = (network: string) => {
    const site = siteOf(network);
    return site === network ? undefined : site;
  };
  return {
    ...networks,
    async count(network, count) {
      // A network past its own limit uses up nothing of its site.
      const headers = await networks.count(network, count);
      const site = siteApart(network);
      if (site !== undefined) await sites.count(site, count);
      return headers;
    },
    async add(network, count) {
      const site = siteApart(network);
      if (site !== undefined) await sites.add(site, count);
      return networks.add(network, count);
    },
    async refund(network, count) {
      const site = siteApart(network);
      if (site !== undefined) await sites.refund(site, count);
      await networks.refund(network, count);
    },
  };
}

type Limiter = ReturnType<typeof limiter>;
