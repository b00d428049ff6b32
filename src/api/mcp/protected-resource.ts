import { Hono, type Context as HonoContext } from "hono";
import type { Deps } from "../../kernel/request/deps.ts";
import { notFound } from "../../platform/errors.ts";
import { countPages } from "../count-pages.ts";
import { mcpPaths } from "../mcp-paths.ts";

const wellKnown = "/.well-known/oauth-protected-resource";

type Described = Pick<Deps, "baseUrl" | "config">;

/** The challenge of a 401 with the address that names the trusted issuer (RFC 9728). */
export function challengeWith(challenge: string, path: string, { baseUrl, config }: Described) {
  if (config.OIDC_ISSUER === undefined) return challenge;
  const metadata = `resource_metadata="${baseUrl}${wellKnown}${path}"`;
  return `${challenge}${challenge.includes(" ") ? "," : ""} ${metadata}`;
}

/** Which issuer's tokens the service accepts (RFC 9728). Without an issuer there is no such page. */
export function protectedResourceRoutes(deps: Pick<Deps, "baseUrl" | "config" | "limits">): Hono {
  const app = new Hono();
  const { baseUrl, config } = deps;
  for (const path of ["", ...Object.values(mcpPaths)]) {
    app.get(`${wellKnown}${path}`, countPages(deps), (c: HonoContext) => {
      if (config.OIDC_ISSUER === undefined) throw notFound("path");
      return c.json(
        {
          resource: `${baseUrl}${path}`,
          authorization_servers: [config.OIDC_ISSUER],
          bearer_methods_supported: ["header"],
          resource_name: "Workspace Board Service",
          resource_documentation: `${baseUrl}/docs`,
        },
        200,
        { "Cache-Control": "no-cache", "Access-Control-Allow-Origin": "*" },
      );
    });
  }
  return app;
}
