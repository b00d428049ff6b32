import { Hono, type Context } from "hono";
import { recordFailure } from "../api/rest/call-log.ts";
import { requestIdOf } from "../api/rest/create-context.ts";
import { errorResponse } from "../api/rest/error-response.ts";
import { securityHeaders } from "../api/rest/protective-headers.ts";
import { logRequests } from "../api/request-log.ts";
import type { Deps } from "../kernel/request/deps.ts";
import type { Failure } from "../platform/errors.ts";

/** The service while it can answer no call: `/livez` is 200, everything else the failure. */
export function refusingApp(
  deps: Pick<Deps, "log" | "baseUrl" | "config">,
  reason: () => Failure,
): Hono {
  const app = new Hono();
  app.use(securityHeaders(deps.baseUrl));
  app.use(logRequests(deps));
  app.get("/livez", (c) => c.json({ status: "ok" }));
  const refuse = (c: Context) => {
    const failure = reason();
    recordFailure(c.req.raw, failure);
    return errorResponse(failure, requestIdOf(c.req.raw), deps);
  };
  // Probes have a route of their own in the log.
  app.get("/readyz", refuse);
  app.all("*", refuse);
  return app;
}
