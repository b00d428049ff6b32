import type { AnyProcedure, inferProcedureOutput } from "@trpc/server";
import { Hono, type Context as HonoContext } from "hono";
import type { Operation } from "../../contract/policy.ts";
import { allScopes } from "../../contract/vocabulary/oauth.ts";
import { registerApp } from "../../domain/oauth/register.ts";
import { revokeGrant } from "../../domain/oauth/revoke.ts";
import { startDevice } from "../../domain/oauth/start-device.ts";
import { issueGrantTokens } from "../../domain/oauth/token.ts";
import { definitionOf, type Call } from "../../kernel/procedures/builder.ts";
import type { Context } from "../../kernel/request/context.ts";
import { countCalls } from "../../kernel/request/count-calls.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { failureOf } from "../../kernel/request/error-response.ts";
import { badRequest, failure } from "../../platform/errors.ts";
import { readForm, readJsonBody } from "../../platform/http/body.ts";
import { recordFailure, recordOperation } from "../rest/call-log.ts";
import { createContext, readingOf, requestIdOf } from "../rest/create-context.ts";
import { oauthPaths, openCors } from "./paths.ts";

/** The most bytes of a form or a registration. */
const maxBytes = 16 * 1024;

type Input = Record<string, unknown>;

/** An endpoint in the form of its RFC: which procedure it runs, and how both sides name things. */
type Endpoint = {
  path: string;
  operation: Operation;
  read: (request: Request, ctx: Context) => Promise<Input>;
  /** Runs the procedure; answers what the RFC wants. */
  run: (call: Call) => Promise<object>;
  status: 200 | 201;
  /** The error of a request that has none of its own. */
  otherError: string;
};

/** Runs a procedure, and renames what it answers. */
const running =
  <Procedure extends AnyProcedure>(
    procedure: Procedure,
    show: (output: inferProcedureOutput<Procedure>) => object,
  ) =>
  async (call: Call) =>
    show((await definitionOf(procedure).run(call)) as inferProcedureOutput<Procedure>);

const endpoints: Endpoint[] = [
  {
    path: oauthPaths.token,
    operation: "oauth.token",
    read: formOf({
      grant_type: "grantType",
      client_id: "clientId",
      code: "code",
      redirect_uri: "redirectUri",
      code_verifier: "codeVerifier",
      refresh_token: "refreshToken",
      device_code: "deviceCode",
      scope: "scope",
      resource: "resource",
    }),
    run: running(
      issueGrantTokens,
      ({ accessToken, tokenType, expiresIn, refreshToken, scope }) => ({
        access_token: accessToken,
        token_type: tokenType,
        expires_in: expiresIn,
        refresh_token: refreshToken,
        scope,
      }),
    ),
    status: 200,
    otherError: "invalid_request",
  },
  {
    path: oauthPaths.startDevice,
    operation: "oauth.startDevice",
    read: formOf({ client_id: "clientId", scope: "scope", resource: "resource" }),
    run: running(startDevice, (started) => ({
      device_code: started.deviceCode,
      user_code: started.userCode,
      verification_uri: started.verificationUri,
      verification_uri_complete: started.verificationUriComplete,
      expires_in: started.expiresIn,
      interval: started.interval,
    })),
    status: 200,
    otherError: "invalid_request",
  },
  {
    path: oauthPaths.revoke,
    operation: "oauth.revoke",
    read: formOf({ token: "token", client_id: "clientId" }),
    run: running(revokeGrant, () => ({})),
    status: 200,
    otherError: "invalid_request",
  },
  {
    path: oauthPaths.register,
    operation: "oauth.register",
    async read(request, ctx) {
      const body = await readJsonBody(request, readingOf(ctx, maxBytes));
      const { client_name: name, redirect_uris: redirectUris } = body;
      return { ...(name === undefined || name === "" ? {} : { name }), redirectUris };
    },
    run: running(registerApp, ({ clientId, name, redirectUris }) => ({
      client_id: clientId,
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      // Whatever an app asks for: it gets no secret.
      token_endpoint_auth_method: "none",
      scope: allScopes.join(" "),
    })),
    status: 201,
    otherError: "invalid_client_metadata",
  },
];

/** Reads a form with known fields. Others are ignored, as the RFC wants; none may be sent twice. */
function formOf(fields: Record<string, string>): Endpoint["read"] {
  return async (request, ctx) => {
    const form = await readForm(request, readingOf(ctx, maxBytes));
    const input: Input = {};
    for (const [name, field] of Object.entries(fields)) {
      const [value, ...others] = form.getAll(name);
      if (others.length > 0) throw badRequest("invalid_request", `${name} was sent twice.`);
      if (value !== undefined && value !== "") input[field] = value;
    }
    return input;
  };
}

/** The endpoints of the authorization server. They only translate: each runs a procedure. */
export function oauthRoutes(deps: Deps): Hono {
  const app = new Hono();
  for (const endpoint of endpoints) {
    app.use(endpoint.path, openCors);
    app.all(endpoint.path, (c) => answer(c, endpoint, deps));
  }
  return app;
}

const noStore = { "Cache-Control": "no-store", Pragma: "no-cache" };

async function answer(c: HonoContext, endpoint: Endpoint, deps: Deps): Promise<Response> {
  const { raw } = c.req;
  recordOperation(raw, endpoint.operation);
  const requestId = requestIdOf(raw);
  const headers: Record<string, string> = { "X-Request-Id": requestId, ...noStore };
  const ctx = await createContext(c, deps, requestId);
  Object.assign(ctx, { ifMatch: undefined, idempotencyKey: undefined });
  try {
    await countCalls(ctx, [endpoint.operation], headers);
    if (raw.method !== "POST") {
      const init = { headers: { Allow: "POST" } };
      throw failure("method_not_supported", "The path supports only POST.", init);
    }
    const getRawInput = () => endpoint.read(raw, ctx);
    return c.json(await endpoint.run({ ctx, getRawInput }), endpoint.status, headers);
  } catch (error) {
    recordFailure(raw, error);
    return errorOf(error, endpoint, headers, deps);
  }
}

/** The codes of issues that are errors of OAuth too. */
const sharedCodes: ReadonlySet<string> = new Set([
  "access_denied",
  "authorization_pending",
  "expired_token",
  "invalid_client",
  "invalid_client_metadata",
  "invalid_grant",
  "invalid_redirect_uri",
  "invalid_request",
  "invalid_scope",
  "invalid_target",
  "slow_down",
  "unsupported_grant_type",
]);

/** An error in the form of RFC 6749 and 7591. */
function errorOf(
  error: unknown,
  { otherError, operation }: Endpoint,
  headers: Record<string, string>,
  { log }: Pick<Deps, "log">,
): Response {
  const requestId = headers["X-Request-Id"];
  const { body, status, headers: own } = failureOf(error, requestId);
  if (status === 500) log.error({ err: error, requestId, operation }, "request failed");
  const [issue] = body.issues;
  const code = issue?.code ?? "";
  const busy = status === 429 || status === 503 ? "temporarily_unavailable" : "server_error";
  const other = status === 429 || status >= 500 ? busy : otherError;
  const where = issue?.path?.length ? `${issue.path.join(".")}: ` : "";
  return Response.json(
    {
      error: sharedCodes.has(code) ? code : other,
      error_description: `${where}${issue?.message ?? body.message}`,
    },
    { status, headers: { ...headers, ...own } },
  );
}
