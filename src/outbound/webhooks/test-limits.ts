import type { Config } from "../../platform/config.ts";
import type { HostLimits } from "../../platform/http/destination-shares.ts";

/** Test events get this part of the limits of deliveries, in addition to them. */
const testShare = 1 / 4;

/** The limits of test events to one host. */
export const testLimits = (config: Config): HostLimits => ({
  hostConcurrency: Math.max(1, Math.floor(config.WEBHOOK_HOST_CONCURRENCY * testShare)),
  hostRate: Math.max(1, Math.floor(config.WEBHOOK_HOST_RATE * testShare)),
});
