import { createHash, randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { App, Reply } from "../../support/app.ts";

/** The address at which tests reach the service. */
export const base = "http://127.0.0.1:3000";
export const callback = "http://127.0.0.1:33418/callback";
export const resources = { mcp: `${base}/mcp`, readOnly: `${base}/mcp/readonly`, rest: base };
export const password = "a password for tests";

/** A verifier of PKCE with its challenge. */
export function pkce() {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** Sends a form, as apps do. */
export async function form(
  app: Pick<App, "fetch">,
  path: string,
  fields: Record<string, string | undefined> | URLSearchParams | string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const given =
    typeof fields === "string" || fields instanceof URLSearchParams
      ? fields
      : new URLSearchParams(
          Object.entries(fields).filter(
            (field): field is [string, string] => field[1] !== undefined,
          ),
        );
  const response = await app.fetch(
    new Request(`${base}/oauth/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
      body: String(given),
    }),
  );
  return {
    status: response.status,
    headers: response.headers,
    body: JSON.parse(await response.text()),
  };
}

/** Registers an app, as a client of MCP does; answers its id. */
export async function register(
  app: Pick<App, "fetch">,
  metadata: object = {},
): Promise<Reply & { clientId: string }> {
  const response = await app.fetch(
    new Request(`${base}/oauth/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ client_name: "Claude", redirect_uris: [callback], ...metadata }),
    }),
  );
  const body = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, body, clientId: body.client_id };
}

/** The query of a request. A field that is undefined is left out. */
export const query = (fields: Record<string, string | undefined>): string =>
  String(
    new URLSearchParams(
      Object.entries({
        response_type: "code",
        redirect_uri: callback,
        state: "k9",
        ...fields,
      }).filter((field): field is [string, string] => field[1] !== undefined),
    ),
  );

/** Who decides: a person who is signed in. */
type Poster = {
  rest: { post: (path: string, body: object) => Promise<Pick<Reply, "status" | "body">> };
};
type Wanted = {
  clientId?: string;
  /** Null for a request without one. */
  resource?: string | null;
  scope?: string;
  bounds?: object;
};

/** The query of a request of a new app. */
export async function appRequest(app: App): Promise<string> {
  const { clientId } = await register(app);
  const { challenge } = pkce();
  return query({
    client_id: clientId,
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
}

/** A person allows an app; answers the code with what the exchange needs. */
export async function allow(
  app: Pick<App, "fetch">,
  user: Poster,
  { clientId, resource = resources.mcp, scope, bounds = { password } }: Wanted = {},
) {
  const id = clientId ?? (await register(app)).clientId;
  const { verifier, challenge } = pkce();
  const request = query({
    client_id: id,
    resource: resource ?? undefined,
    scope,
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const reply = await user.rest.post("/oauth/decide", { request, allow: true, ...bounds });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  const code = new URL(reply.body.redirectTo).searchParams.get("code") ?? "";
  return { clientId: id, code, verifier, redirectTo: String(reply.body.redirectTo) };
}

type Code = Pick<Awaited<ReturnType<typeof allow>>, "clientId" | "code" | "verifier">;

/** Exchanges a code. */
export const exchange = (
  app: Pick<App, "fetch">,
  { clientId, code, verifier }: Code,
  more: Record<string, string | undefined> = {},
): Promise<Reply> =>
  form(app, "token", {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: callback,
    ...more,
  });

export type Connected = {
  clientId: string;
  accessToken: string;
  refreshToken: string;
  scope: string;
};

/** Connects an app to a person's account. */
export async function connectApp(
  app: Pick<App, "fetch">,
  user: Poster,
  wanted: Wanted = {},
): Promise<Connected> {
  const code = await allow(app, user, wanted);
  const { status, body } = await exchange(app, code);
  expect(status, JSON.stringify(body)).toBe(200);
  return {
    clientId: code.clientId,
    accessToken: body.access_token,
    refreshToken: body.refresh_token,
    scope: body.scope,
  };
}

/** Refreshes the tokens of an app. */
export const refresh = (
  app: Pick<App, "fetch">,
  { clientId, refreshToken }: Pick<Connected, "clientId" | "refreshToken">,
  more: Record<string, string | undefined> = {},
): Promise<Reply> =>
  form(app, "token", {
    grant_type: "refresh_token",
    client_id: clientId,
    refresh_token: refreshToken,
    ...more,
  });

/** The status that a token gets at the REST API, or with the tools for agents. */
export async function statusAt(
  app: Pick<App, "fetch">,
  token: string,
  path = "/mcp",
): Promise<number> {
  const isMcp = path.startsWith("/mcp");
  const response = await app.fetch(
    new Request(base + path, {
      method: isMcp ? "POST" : "GET",
      headers: {
        Authorization: `Bearer ${token}`,
        ...(isMcp
          ? {
              "Content-Type": "application/json",
              Accept: "application/json, text/event-stream",
            }
          : {}),
      },
      ...(isMcp ? { body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }) } : {}),
    }),
  );
  await response.body?.cancel();
  return response.status;
}

/** The grant type of a program that polls. */
export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

/** A program without a browser asks for its codes: the command line unless it names another app. */
export async function startDevice(
  app: Pick<App, "fetch">,
  more: Record<string, string | undefined> = {},
) {
  const { status, body } = await form(app, "device_authorization", {
    client_id: "wbs-cli",
    ...more,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  const clientId = more["client_id"] ?? "wbs-cli";
  return { clientId, deviceCode: String(body.device_code), userCode: String(body.user_code) };
}

type Device = Awaited<ReturnType<typeof startDevice>>;

/** A program polls for its tokens. */
export const poll = (
  app: Pick<App, "fetch">,
  { clientId, deviceCode }: Pick<Device, "clientId" | "deviceCode">,
  more: Record<string, string | undefined> = {},
): Promise<Reply> =>
  form(app, "token", {
    grant_type: deviceGrant,
    client_id: clientId,
    device_code: deviceCode,
    ...more,
  });

/** A person answers the program that shows a code; everything, unless they choose less. */
export const answer = (
  user: Poster,
  { userCode }: Pick<Device, "userCode">,
  decision: object = { allow: true, password },
) => user.rest.post("/oauth/device/decide", { userCode, ...decision });
