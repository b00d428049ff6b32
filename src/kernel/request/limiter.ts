import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { siteOf } from "../../platform/site.ts";
import { tooManyRequests } from "../../platform/errors.ts";

/** The headers of the limit that a call counts for. */
export type LimitHeaders = { "RateLimit-Policy": string; RateLimit: string };

/** How many instances of the service count apart from each other. */
export type Instances = () => number;

const onlyThis: Instances = () => 1;

/**
 * Counts up to `points` units per key within `duration` seconds; past it `count` throws 429.
 *
 * Each unit counts once for each of the `instances`, which each get a share of the points.
 */
export function limiter(
  name: string,
  points: number,
  duration: number,
  unit = "calls",
  instances = onlyThis,
) {
  // A unit always fits into an empty share.
  const scaled = (count: number) => Math.min(count * instances(), Math.max(count, points));
  const memory = new RateLimiterMemory({ keyPrefix: name, points, duration });
  const policy = `"${name}";q=${points};w=${duration}`;
  const headersOf = (usage: RateLimiterRes): LimitHeaders => ({
    "RateLimit-Policy": policy,
    RateLimit: `"${name}";r=${usage.remainingPoints};t=${Math.ceil(usage.msBeforeNext / 1000)}`,
  });
  const exceeded = (usage: RateLimiterRes) =>
    tooManyRequests(
      "rate_limited",
      `Rate limit exceeded: ${points} ${unit} in ${duration} s.`,
      usage.msBeforeNext / 1000,
      headersOf(usage),
    );
  return {
    async count(key: string, count: number): Promise<LimitHeaders> {
      try {
        return headersOf(await memory.consume(key, scaled(count)));
      } catch (error) {
        throw error instanceof RateLimiterRes ? exceeded(error) : error;
      }
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
      const counted = await memory.get(key);
      if (counted !== null && counted.consumedPoints >= points) throw exceeded(counted);
    },
    /** Counts, also past the limit. */
    async add(key: string, count: number): Promise<LimitHeaders> {
      return headersOf(await memory.penalty(key, scaled(count)));
    },
    async refund(key: string, count: number): Promise<void> {
      await memory.reward(key, scaled(count));
    },
    async isSpent(key: string): Promise<boolean> {
      const counted = await memory.get(key);
      return counted !== null && counted.consumedPoints >= points;
    },
    async reset(key: string): Promise<void> {
      await memory.delete(key);
    },
  };
}

/** A site, which has many networks, gets this many times the limit of one. */
const networksPerSite = 10;

/** Counts for networks of clients, and for the sites that they are in. */
export function networkLimiter(
  name: string,
  points: number,
  duration: number,
  instances = onlyThis,
): Limiter {
  const networks = limiter(name, points, duration, "calls", instances);
  const sites = limiter(`${name}-site`, points * networksPerSite, duration, "calls", instances);
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
