import type { AnyRouter } from "@trpc/server";
import type { RestOptions } from "../../kernel/request/rest.ts";
import { routesOf } from "./routes.ts";

const api = "/api/v1";

/** The methods of a route. HEAD works as GET does, except where GET uses up a parameter. */
export const methodsOf = (method: string, { page }: RestOptions) =>
  method === "GET" && !page ? ["GET", "HEAD"] : [method];

/** Finds the methods that a path of the service has, for preflight requests. */
export function methodFinder(router: AnyRouter): (path: string) => string[] {
  const routes = routesOf(router).flatMap(({ method, path, more }) =>
    [path, more.alias ?? []].flat().map((one) => ({
      pattern: new RegExp(`^${api}${one.replace(/\{\w+\}/g, "[^/]+")}$`),
      methods: methodsOf(method, more),
    })),
  );
  return (path) => {
    if (path.startsWith("/trpc/")) return ["GET", "POST"];
    // Fixed segments come first: `/checklists/items` is no id of a checklist.
    const first = routes.find(({ pattern }) => pattern.test(path))?.pattern.source;
    const found = routes.filter(({ pattern }) => pattern.source === first);
    if (found.length > 0) return [...new Set(found.flatMap(({ methods }) => methods))].toSorted();
    return path.startsWith(`${api}/`) && !path.startsWith(`${api}/openapi.`) ? [] : ["GET", "HEAD"];
  };
}
