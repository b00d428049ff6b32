import type { MiddlewareHandler } from "hono";
import { isFinal } from "./final-response.ts";

const noContent = "default-src 'none'; frame-ancestors 'none'";

/** Headers that protect browsers. HSTS when the service is reached by https. */
export const protectiveHeaders = (baseUrl: string): Record<string, string> => ({
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": noContent,
  "Referrer-Policy": "no-referrer",
  ...(baseUrl.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
});

/** Sets these headers on every response. */
export function securityHeaders(baseUrl: string): MiddlewareHandler {
  const all = Object.entries(protectiveHeaders(baseUrl));
  return async (c, next) => {
    await next();
    if (isFinal(c.res)) return;
    const { headers } = c.res;
    // Pages and files have their own policy; all else shows nothing and is framed nowhere.
    for (const [name, value] of all) if (!headers.has(name)) headers.set(name, value);
  };
}
