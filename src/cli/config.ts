import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { CliFailure, exits } from "./failure.ts";

// Commands add the path of the API.
const Url = z
  .url({ protocol: /^https?$/, hostname: /./ })
  .transform((url) => url.replace(/(?<!\/)(?:\/api\/v1)?\/*$/, ""));

/** Where programs keep what belongs to a person (XDG). */
export function configHome(): string {
  const { XDG_CONFIG_HOME = "" } = process.env;
  return XDG_CONFIG_HOME === "" ? join(homedir(), ".config") : XDG_CONFIG_HOME;
}

/** Whether output may have colours (https://no-color.org). */
export const wantsColour = () => (process.env["NO_COLOR"] ?? "") === "";

/**
 * The address of the service, and the API key or the operator's key. The token of a login is read before
 * each call: it is refreshed when it ends.
 */
export type ConnectionSettings = {
  url: string;
  token?: string | (() => Promise<string | undefined>);
  adminKey?: string;
};

export type Flags = { url?: unknown; token?: unknown; key?: unknown };

/** The options before the command, such as `wbs --url … status`. */
const before: Flags = {};

/** Sets the options that precede the command. */
export function setConnection({ url, token }: Flags): void {
  if (url !== undefined) before.url = url;
  if (token !== undefined) before.token = token;
}

/** Reads the address of the service from the option, or from `WBS_URL`. */
export function readUrl(flag: unknown): string {
  const { WBS_URL = "http://127.0.0.1:3000" } = process.env;
  const input = flag ?? before.url ?? WBS_URL;
  const url = Url.safeParse(input);
  if (url.success) return url.data;
  const message =
    `The address of the service was ${JSON.stringify(input)}. ` +
    "It must start with http:// or https://, such as http://127.0.0.1:3000.";
  throw new CliFailure(exits.usage, message);
}

/** Reads address and API key of a command that a login does not open: its tokens are for the API. */
export function readKeyConnection(flags: Flags): ConnectionSettings {
  const key = readKey(flags);
  if (key !== undefined) return { url: readUrl(flags.url), token: key };
  const how =
    "Set WBS_TOKEN to an API key (POST /api/v1/auth/api-keys creates one), or use --token.";
  throw new CliFailure(exits.refused, `No token is set. ${how}`);
}

/** The key of the option or of `WBS_TOKEN`; undefined without one. */
export function readKey(flags: Flags): string | undefined {
  const { WBS_TOKEN = "" } = process.env;
  const tokenFlag = flags.token ?? before.token;
  const token = typeof tokenFlag === "string" ? tokenFlag : WBS_TOKEN;
  if (token === "") return undefined;
  if (/^[!-~]+$/.test(token)) return token;
  throw new CliFailure(exits.usage, "The token contains invalid characters.");
}

/** Reads the address, and the operator's key from the option or `WBS_ADMIN_KEY`; else a token. */
export function readAdminConnection(flags: Flags): ConnectionSettings {
  const { WBS_ADMIN_KEY = "", WBS_TOKEN = "" } = process.env;
  const adminKey = typeof flags.key === "string" ? flags.key : WBS_ADMIN_KEY;
  const isToken = typeof (flags.token ?? before.token) === "string";
  if (adminKey !== "" && !isToken) return { url: readUrl(flags.url), adminKey };
  if (isToken || WBS_TOKEN !== "") return readKeyConnection(flags);
  const how =
    "Set WBS_ADMIN_KEY to the ADMIN_KEY of the service, or WBS_TOKEN to an access token of an " +
    "operator's account.";
  throw new CliFailure(exits.refused, `No operator's key is set. ${how}`);
}

/** Reads the credential for Planka; secrets of other services are not accepted as arguments. */
export function readPlankaCredential(): Record<string, string> {
  const { PLANKA_API_KEY, PLANKA_TOKEN, PLANKA_USER, PLANKA_PASSWORD } = process.env;
  if (PLANKA_API_KEY) return { apiKey: PLANKA_API_KEY };
  if (PLANKA_TOKEN) return { token: PLANKA_TOKEN };
  if (PLANKA_USER && PLANKA_PASSWORD)
    return { emailOrUsername: PLANKA_USER, password: PLANKA_PASSWORD };
  throw new CliFailure(
    exits.usage,
    "Set PLANKA_API_KEY, PLANKA_TOKEN, or PLANKA_USER and PLANKA_PASSWORD.",
  );
}

/** Reads the API key for Kan from the option, or from `KAN_API_KEY`. */
export function readKanKey(flag: string | undefined): string {
  const { KAN_API_KEY = "" } = process.env;
  const key = flag ?? KAN_API_KEY;
  if (key !== "") return key;
  throw new CliFailure(exits.usage, "Set KAN_API_KEY to an API key of Kan, or use --key.");
}
