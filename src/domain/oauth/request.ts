import {
  allScopes,
  onlyReads,
  resourcePaths,
  scopes,
  type ResourcePath,
} from "../../contract/vocabulary/oauth.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { badRequest } from "../../platform/errors.ts";
import type { App } from "./apps.ts";
import { isRegistered, withParameters } from "./redirect-uris.ts";

/** Why a request is refused, as its app reads it (RFC 6749). */
type Fault = { error: string; description: string };

/** What an app asks for: the address that its tokens are for, and whether it may change something. */
export type Target = { resource: string; mayWrite: boolean };

/** A valid request of an app: what it asks for, and the challenge of its code. */
type Asked = Target & { challenge: string };

/** The request of an app that is known, and where its answer goes. */
type AppRequest = {
  app: App;
  redirectUri: string;
  state: string | undefined;
  asked: Asked | Fault;
};

/** The parameters of a request. One that was sent twice has no value that both sides agree on. */
class Parameters {
  readonly #all: URLSearchParams;

  constructor(query: string) {
    if (/%00/.test(query)) throw badRequest("invalid_text", "The request has a NUL.", ["request"]);
    this.#all = new URLSearchParams(query);
  }

  /** The only value of a parameter; an empty one counts as left out. */
  get(name: string): string | undefined {
    return this.isRepeated(name) ? undefined : this.#all.get(name) || undefined;
  }

  isRepeated(name: string): boolean {
    return this.#all.getAll(name).length > 1;
  }

  /** The first parameter that was sent twice. */
  repeated(): string | undefined {
    return [...this.#all.keys()].find((name) => this.isRepeated(name));
  }
}

const fault = (error: string, description: string): Fault => ({ error, description });

/**
 * Reads a request of an app, as its browser sent it to `/oauth/authorize`. Throws 400 while it is not
 * certain that the app is known and that the address is the app's: nobody is sent there.
 */
export async function readRequest(
  query: string,
  baseUrl: string,
  find: (clientId: string) => Promise<App | undefined>,
): Promise<AppRequest> {
  const parameters = new Parameters(query);
  const clientId = parameters.get("client_id");
  if (clientId === undefined || parameters.isRepeated("client_id")) {
    throw badRequest("required", "The request needs one client_id.", ["request"]);
  }
  const app = await find(clientId);
  if (app === undefined) {
    throw badRequest("app_unknown", "The app is unknown. It must register again.", ["request"]);
  }
  const redirectUri = parameters.get("redirect_uri");
  if (redirectUri === undefined || !isRegistered(redirectUri, app.redirectUris)) {
    const message = "The app has not registered this redirect_uri, or sent none or several.";
    throw badRequest("invalid_redirect_uri", message, ["request"]);
  }
  return { app, redirectUri, state: parameters.get("state"), asked: read(parameters, baseUrl) };
}

/** What a request asks for, or what is wrong with it. */
function read(parameters: Parameters, baseUrl: string): Asked | Fault {
  const repeated = parameters.repeated();
  if (repeated === "resource") {
    return fault("invalid_target", "A token is for one resource.");
  }
  if (repeated !== undefined) return fault("invalid_request", `${repeated} was sent twice.`);
  if (parameters.get("response_type") !== "code") {
    return fault("unsupported_response_type", "response_type must be code.");
  }
  const challenge = parameters.get("code_challenge") ?? "";
  const isS256 = parameters.get("code_challenge_method") === "S256";
  if (!isS256 || !/^[\w-]{43}$/.test(challenge)) {
    return fault("invalid_request", "PKCE with S256 is required: 43 characters of base64url.");
  }
  const path = resourcePath(parameters.get("resource"), baseUrl);
  if (path === undefined) return fault("invalid_target", "The service has no such resource.");
  const mayWrite = !onlyReads(path) && asksToWrite(parameters.get("scope"));
  return { resource: baseUrl + path, mayWrite, challenge };
}

/** The path of a resource; that of the tools for agents if none is named. */
export function resourcePath(
  resource: string | undefined,
  baseUrl: string,
): ResourcePath | undefined {
  if (resource === undefined) return "/mcp";
  // Some clients write the address of a host with a slash at its end.
  if (resource === `${baseUrl}/`) return "";
  return resourcePaths.find((path) => resource === baseUrl + path);
}

/** The scopes of a text that the service knows. */
export const knownScopes = (scope: string) =>
  allScopes.filter((known) => scope.split(" ").includes(known));

/** Whether scopes ask to write. Without any the person decides; unknown ones ask to read. */
export const asksToWrite = (scope: string | undefined) =>
  scope === undefined || knownScopes(scope).includes(scopes.write);

/** Whether a request is invalid. */
export const isFault = (asked: Asked | Fault): asked is Fault => "error" in asked;

/** Where the browser returns with an error. */
export const errorRedirect = (
  { redirectUri, state }: Pick<AppRequest, "redirectUri" | "state">,
  { error, description }: Fault,
  { baseUrl }: Pick<Deps, "baseUrl">,
): string =>
  withParameters(redirectUri, { error, error_description: description, state, iss: baseUrl });
