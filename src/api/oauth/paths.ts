import { cors } from "hono/cors";
import { devicePath } from "../../domain/oauth/device-codes.ts";

/** The paths of the authorization server. */
export const oauthPaths = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke",
  startDevice: "/oauth/device_authorization",
  device: devicePath,
  keys: "/oauth/jwks",
} as const;

/**
 * Pages of any origin may call: apps in a browser have nothing here that the browser adds itself.
 *
 * Deciding is not among these paths: only pages of `CORS_ORIGINS` call the REST API.
 */
export const openCors = cors({
  origin: "*",
  allowMethods: ["GET", "HEAD", "POST"],
  allowHeaders: ["Authorization", "Content-Type", "MCP-Protocol-Version"],
  exposeHeaders: ["Retry-After", "X-Request-Id"],
  maxAge: 600,
});

const ofApps: ReadonlySet<string> = new Set(
  Object.values(oauthPaths).filter(
    (path) => path !== oauthPaths.authorize && path !== oauthPaths.device,
  ),
);

/** Whether pages of any origin may call a path. */
export const isOpenPath = (path: string): boolean =>
  path.startsWith("/.well-known/") || ofApps.has(path);
