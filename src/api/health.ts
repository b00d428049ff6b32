import { Hono } from "hono";
import { z } from "zod";
import { query } from "../kernel/procedures/query.ts";
import type { Deps } from "../kernel/request/deps.ts";
import { throwNoDatabase } from "../platform/db/database-errors.ts";
import { unavailable } from "../platform/errors.ts";
import { router } from "../kernel/request/trpc.ts";
import { sharedCheck } from "../platform/shared-check.ts";
import { version } from "../platform/version.ts";
import { recordFailure } from "./rest/call-log.ts";
import { errorResponse } from "./rest/error-response.ts";
import { requestIdOf } from "./rest/create-context.ts";
import { rest } from "../kernel/request/rest.ts";

/** If a due job waits longer, no worker is running. */
const longestLagSeconds = 5 * 60;

/** For how long all probes share the answer of one query. */
const pingMs = 1_000;

const Health = z
  .object({
    status: z.enum(["ok", "degraded"]).meta({
      id: "HealthStatus",
      description: "`degraded`: the file storage is unreachable or full, or jobs are late.",
    }),
    version: z.string().meta({ description: "The version of the service.", examples: ["1.0.0"] }),
    database: z.enum(["ok"]).meta({ description: "The state of the database.", examples: ["ok"] }),
    storage: z
      .enum(["ok", "unreachable", "full"])
      .meta({ id: "StorageStatus", description: "The state of the file storage." }),
    queueLagSeconds: z.number().meta({
      description: "How long the oldest due job has waited, in seconds.",
      examples: [0.4],
    }),
  })
  .meta({ id: "Health", description: "The state of the service." });

/** Reports the state of the service. 503 when the database is unreachable. */
const checkHealth = query("health.check")
  .meta(
    rest("Health").get(
      "/health",
      "Check the service",
      "Returns the health of the service. `degraded` means that the file storage is unreachable " +
        "or its disk almost full, or that a due job has waited for more than five minutes. " +
        "Returns 503 if the database is unreachable.",
    ),
  )
  .output(Health)
  .query(async ({ ctx: { deps } }) => {
    const [lagSeconds, storage] = await Promise.all([deps.queueLag(), deps.storageState()]);
    const isHealthy = storage === "ok" && lagSeconds <= longestLagSeconds;
    return {
      status: isHealthy ? ("ok" as const) : ("degraded" as const),
      version,
      database: "ok" as const,
      storage,
      queueLagSeconds: lagSeconds,
    };
  });

/** The health check. */
export const health = router({ check: checkHealth });

/** `/livez`: the process runs. `/readyz`: it can serve requests. */
export function probeRoutes(deps: Deps): Hono {
  const app = new Hono();
  const { db, clock } = deps;
  const ping = sharedCheck(() => db.ping(), { ms: pingMs, clock, late: throwNoDatabase });
  app.get("/livez", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => {
    try {
      if (deps.stopping()) throw unavailable("shutting_down", "The service is shutting down.");
      await ping();
      return c.json({ status: "ok" });
    } catch (error) {
      recordFailure(c.req.raw, error);
      return errorResponse(error, requestIdOf(c.req.raw), deps);
    }
  });
  return app;
}
