import { Hono } from "hono";
import { z } from "zod";
import { mayRead } from "../access/may.ts";
import type { Deps } from "../deps.ts";
import { unavailable } from "../errors.ts";
import { router } from "../trpc.ts";
import { version } from "../version.ts";
import { answerFailure } from "./answer.ts";
import { requestIdOf } from "./enter.ts";
import { rest } from "./rest.ts";

/** Whether the service works: 503 when the database does not answer. */
const checkHealth = mayRead("health.check")
  .meta(
    rest("Health").get(
      "/health",
      "Whether the service works",
      "Answers 503 when the database does not answer.",
    ),
  )
  .output(
    z
      .object({ status: z.enum(["ok", "degraded"]), version: z.string(), database: z.enum(["ok"]) })
      .meta({ id: "Health" }),
  )
  .query(async ({ ctx: { deps } }) => {
    await deps.db.ping();
    return { status: "ok" as const, version, database: "ok" as const };
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
