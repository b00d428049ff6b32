import { Hono, type Context as HonoContext } from "hono";
import { allScopes, onlyReads, resourcePaths, scopes } from "../../contract/vocabulary/oauth.ts";
import { deviceGrantType } from "../../domain/oauth/device-codes.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { countPages } from "../count-pages.ts";
import { oauthPaths, openCors } from "./paths.ts";

const ofResource = "/.well-known/oauth-protected-resource";
const ofServer = "/.well-known/oauth-authorization-server";
/** Some clients look here too: behind the path of a service that has one. */
const ofIssuer = "/.well-known/openid-configuration";

type Described = Pick<Deps, "baseUrl" | "config">;

/** The challenge of a 401 with the address that says where to get a token (RFC 9728). */
export function challengeWith(challenge: string, path: string, { baseUrl }: Described) {
  const metadata = `resource_metadata="${baseUrl}${ofResource}${path}"`;
  return `${challenge}${challenge.includes(" ") ? "," : ""} ${metadata}`;
}

/** The challenge of an app that may only read and wants to write: it may ask the person again. */
export const scopeChallenge = (path: string, deps: Described) =>
  challengeWith(`Bearer error="insufficient_scope", scope="${allScopes.join(" ")}"`, path, deps);

/** Which servers give tokens for a resource (RFC 9728): this one, and the operator's own issuer. */
function resourceMetadata(path: (typeof resourcePaths)[number], { baseUrl, config }: Described) {
  return {
    resource: `${baseUrl}${path}`,
    authorization_servers: [baseUrl, config.OIDC_ISSUER ?? []].flat(),
    scopes_supported: onlyReads(path) ? [scopes.read] : allScopes,
    bearer_methods_supported: ["header"],
    resource_name: "Workspace Board Service",
    resource_documentation: `${baseUrl}/docs`,
  };
}

/** What the authorization server offers (RFC 8414). */
const serverMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  authorization_endpoint: baseUrl + oauthPaths.authorize,
  token_endpoint: baseUrl + oauthPaths.token,
  registration_endpoint: baseUrl + oauthPaths.register,
  device_authorization_endpoint: baseUrl + oauthPaths.startDevice,
  revocation_endpoint: baseUrl + oauthPaths.revoke,
  jwks_uri: baseUrl + oauthPaths.keys,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token", deviceGrantType],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  scopes_supported: allScopes,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${baseUrl}/docs#/guide/apps`,
});

/** The documents of the authorization server and of its resources, and its public keys. */
export function metadataRoutes(
  deps: Pick<Deps, "baseUrl" | "config" | "limits" | "grantTokens">,
): Hono {
  const app = new Hono();
  const { baseUrl } = deps;
  const serve = (path: string, document: object) => {
    app.use(path, openCors);
    app.get(path, countPages(deps), (c: HonoContext) =>
      c.json(document, 200, { "Cache-Control": "no-cache" }),
    );
  };
  // A service with a path of its own is also asked at the root of its host.
  const prefixes = new Set(["", new URL(baseUrl).pathname.replace(/\/$/, "")]);
  for (const prefix of prefixes) {
    for (const path of resourcePaths) {
      serve(`${ofResource}${prefix}${path}`, resourceMetadata(path, deps));
    }
    serve(`${ofServer}${prefix}`, serverMetadata(baseUrl));
    serve(`${ofIssuer}${prefix}`, {
      ...serverMetadata(baseUrl),
      // The form requires them; the service has no ID tokens.
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["EdDSA"],
    });
  }
  serve(oauthPaths.keys, { keys: deps.grantTokens.publicKeys });
  return app;
}
