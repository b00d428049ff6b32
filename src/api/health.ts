import { Hono } from "hono";
import { z } from "zod";
import { query } from "../kernel/procedures/query.ts";
import type { Deps } from "../kernel/request/deps.ts";
import { router } from "../kernel/request/trpc.ts";
import { version } from "../platform/version.ts";
import { checkReady } from "./readiness.ts";
import { recordFailure } from "./rest/call-log.ts";
import { errorResponse } from "./rest/error-response.ts";
import { requestIdOf } from "./rest/create-context.ts";
import { rest } from "../kernel/request/rest.ts";

/** If a due job waits longer, no worker is running. */
const longestLagSeconds = 5 * 60;

const Health = z
  .object({
    status: z.enum(["ok", "degraded"]).meta({
      id: "HealthStatus",
      description:
        "`degraded`: the database is read-only, the file storage unreachable or full, or jobs are late.",
    }),
    version: z.string().meta({ description: "The version of the service.", examples: ["1.0.0"] }),
    database: z.enum(["ok", "read_only"]).meta({
      id: "DatabaseStatus",
      description: "The state of the database. `read_only`: it accepts no writes.",
    }),
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
      "Returns the health of the service. It is `degraded` if the database accepts no writes, if " +
        "the file storage is unreachable or its disk almost full, or if jobs are late. A job is " +
        "late after five minutes. Returns 503 if the database is unreachable.",
    ),
  )
  .output(Health)
  .query(async ({ ctx: { deps } }) => {
    const [lagSeconds, database, storage] = await Promise.all([
      deps.queueLag(),
      deps.databaseState(),
      deps.storageState(),
    ]);
    const isHealthy = database === "ok" && storage === "ok" && lagSeconds <= longestLagSeconds;
    return {
      status: isHealthy ? ("ok" as const) : ("degraded" as const),
      version,
      database,
      storage,
      queueLagSeconds: lagSeconds,
    };
  });

/** The health check. */
export const health = router({ check: checkHealth });

/** `/livez`: the process runs. `/readyz`: it can serve calls, or says why not. */
export function probeRoutes(deps: Deps): Hono {
  const app = new Hono();
  app.get("/livez", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => {
    try {
      await checkReady(deps);
      return c.json({ status: "ok" });
    } catch (error) {
      recordFailure(c.req.raw, error);
      return errorResponse(error, requestIdOf(c.req.raw), deps);
    }
  });
  return app;
}
