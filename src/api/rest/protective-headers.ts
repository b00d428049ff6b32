import type { MiddlewareHandler } from "hono";

const responses = new WeakSet<Response>();

/** Marks a response as final: it has all its headers, and no middleware changes it. */
export function markFinal(response: Response): Response {
  responses.add(response);
  return response;
}

/** Whether a response is final. */
export const isFinal = (response: Response): boolean => responses.has(response);

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
