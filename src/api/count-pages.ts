import type { MiddlewareHandler } from "hono";
import type { Deps } from "../kernel/request/deps.ts";
import { clientIp } from "./rest/create-context.ts";

/** Counts requests of pages and files for the network of their client, apart from its calls. */
export const countPages =
  ({ limits, config }: Pick<Deps, "limits" | "config">): MiddlewareHandler =>
  async (c, next) => {
    const headers = await limits.page(clientIp(c, config.TRUST_PROXY));
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    return next();
  };
