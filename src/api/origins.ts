import type { Config } from "../platform/config.ts";

/** A page that this machine serves, such as `http://localhost:5173` of Vite. */
const local = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Whether pages of an origin may call: those of `CORS_ORIGINS`, in development those of this machine. */
export function originRule({
  CORS_ORIGINS,
  NODE_ENV,
}: Pick<Config, "CORS_ORIGINS" | "NODE_ENV">): (origin: string) => boolean {
  const isDevelopment = NODE_ENV !== "production";
  return (origin) =>
    CORS_ORIGINS.length > 0 ? CORS_ORIGINS.includes(origin) : isDevelopment && local.test(origin);
}
