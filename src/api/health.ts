import { Hono } from "hono";
import { z } from "zod";
import { query } from "../kernel/procedures/query.ts";
import type { Deps } from "../kernel/request/deps.ts";
import { unavailable } from "../platform/errors.ts";
import { readLag } from "../kernel/jobs/lag.ts";
import { router } from "../kernel/request/trpc.ts";
import { version } from "../platform/version.ts";
import { answerFailure } from "./rest/answer.ts";
import { requestIdOf } from "./rest/create-context.ts";
import { rest } from "../kernel/request/rest.ts";

/** A job that has been due for so long says that nobody does the background work. */
const longestLagSeconds = 5 * 60;

const Health = z
  .object({
    status: z.enum(["ok", "degraded"]),
    version: z.string(),
    database: z.enum(["ok"]),
    storage: z.enum(["ok", "unreachable"]),
    queueLagSeconds: z.number(),
  })
  .meta({ id: "Health" });

/** Whether the service works: 503 when the database does not answer. */
const checkHealth = query("health.check")
  .meta(
    rest("Health").get(
      "/health",
      "Whether the service works",
      "Answers 503 when the database does not answer. `degraded` when the storage of files cannot be reached, or when background work has waited for more than five minutes.",
    ),
  )
  .output(Health)
  .query(async ({ ctx: { db, deps } }) => {
    const [lagSeconds, answers] = await Promise.all([
      readLag(db.query, deps.clock()),
      deps.storageAnswers(),
    ]);
    const isWell = answers && lagSeconds <= longestLagSeconds;
    return {
      status: isWell ? ("ok" as const) : ("degraded" as const),
      version,
      database: "ok" as const,
      storage: answers ? ("ok" as const) : ("unreachable" as const),
      queueLagSeconds: lagSeconds,
    };
  });

/** The service's own state. */
export const health = router({ check: checkHealth });

/** `/livez` says that the process runs, `/readyz` that it can serve. */
export function probes(deps: Deps): Hono {
  const app = new Hono();
  app.get("/livez", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => {
    try {
      if (deps.stopping()) throw unavailable("The service is shutting down.");
      await deps.db.ping();
      return c.json({ status: "ok" });
    } catch (error) {
      return answerFailure(error, requestIdOf(c.req.raw), deps);
    }
  });
  return app;
}
