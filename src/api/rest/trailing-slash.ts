import { getPath } from "hono/utils/url";

/** The path that a request is routed by. In the REST API a slash at its end is ignored. */
export function routedPath(request: Request): string {
  const path = getPath(request);
  return path.startsWith("/api/v1/") && path.endsWith("/") ? path.slice(0, -1) : path;
}
