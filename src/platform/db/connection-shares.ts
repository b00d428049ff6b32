import type { ShareLimits } from "../fair-share.ts";

/**
 * How callers share the connections of a pool.
 *
 * Two connections are left to work without a caller: deliveries, streams, leases of jobs.
 */
export function connectionShares(connections: number, waitMs = 3_000): ShareLimits {
  const size = Math.max(1, connections - 2);
  return {
    size,
    perCaller: Math.ceil(size / 2),
    perTenant: Math.max(1, size - 1),
    queue: 2_000,
    queuePerCaller: 256,
    waitMs,
  };
}
