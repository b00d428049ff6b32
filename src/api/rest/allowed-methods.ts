import type { AnyRouter } from "@trpc/server";
import type { RestOptions } from "../../kernel/request/rest.ts";
import { mcpPaths } from "../../contract/vocabulary/mcp-paths.ts";
import { routesOf } from "./routes.ts";

const api = "/api/v1";

/**
 * The methods of a route: HEAD works as GET does, except where GET uses up a parameter, and PATCH
 * as PUT does.
 */
export function methodsOf(method: string, { page }: RestOptions): string[] {
  if (method === "PUT") return ["PUT", "PATCH"];
  return method === "GET" && !page ? ["GET", "HEAD"] : [method];
}

/** The methods of procedures that tRPC calls together; empty where one does not exist. */
function methodsOfCalls(router: AnyRouter, names: string[]): string[] {
  const { procedures } = router._def;
  if (!names.every((name) => Object.hasOwn(procedures, name))) return [];
  return [
    ...new Set(names.map((name) => (procedures[name]._def.type === "mutation" ? "POST" : "GET"))),
  ];
}

/**
 * Finds the methods that a path of the service has, for preflight requests.
 *
 * `isPage` says whether a path outside the API and tRPC is a page.
 */
export function methodFinder(
  router: AnyRouter,
  isPage: (path: string) => boolean,
): (path: string) => string[] {
  const routes = routesOf(router).flatMap(({ method, path, options }) =>
    [path, options.alias ?? []].flat().map((routePath) => ({
      pattern: new RegExp(`^${api}${routePath.replace(/\{\w+\}/g, "[^/]+")}$`),
      methods: methodsOf(method, options),
    })),
  );
  return (path) => {
    const calls = /^\/trpc\/(.+)$/.exec(path)?.[1];
    if (calls !== undefined) return methodsOfCalls(router, calls.split(","));
    // Fixed segments come first: in `/checklists/items`, `items` is not an id.
    const first = routes.find(({ pattern }) => pattern.test(path))?.pattern.source;
    const matching = routes.filter(({ pattern }) => pattern.source === first);
    if (Object.values<string>(mcpPaths).includes(path)) return ["POST"];
    if (matching.length > 0)
      return [...new Set(matching.flatMap(({ methods }) => methods))].toSorted();
    return isPage(path) ? ["GET", "HEAD"] : [];
  };
}
