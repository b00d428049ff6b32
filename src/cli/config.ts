import { z } from "zod";
import { CliFailure, exits } from "./failure.ts";

// Commands add the path of the API.
const Url = z
  .url({ protocol: /^https?$/, hostname: /./ })
  .transform((url) => url.replace(/(?<!\/)(?:\/api\/v1)?\/*$/, ""));

/** Whether output may have colours (https://no-color.org). */
export const wantsColour = () => (process.env["NO_COLOR"] ?? "") === "";

/** The address of the service, and the API key. */
export type ConnectionSettings = { url: string; token: string };

type Flags = { url?: unknown; token?: unknown };

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
  const given = flag ?? before.url ?? WBS_URL;
  const url = Url.safeParse(given);
  if (url.success) return url.data;
  const message =
    `The address of the service was ${JSON.stringify(given)}. ` +
    "It must start with http:// or https://, such as http://127.0.0.1:3000.";
  throw new CliFailure(exits.usage, message);
}

/** Reads address and token from options, or from `WBS_URL` and `WBS_TOKEN`. */
export function readConnection(flags: Flags): ConnectionSettings {
  const { WBS_TOKEN = "" } = process.env;
  const tokenFlag = flags.token ?? before.token;
  const token = typeof tokenFlag === "string" ? tokenFlag : WBS_TOKEN;
  if (token === "") {
    const how =
      "Set WBS_TOKEN to an API key (POST /api/v1/auth/api-keys creates one), or use --token.";
    throw new CliFailure(exits.refused, `No token is set. ${how}`);
  }
  if (!/^[!-~]+$/.test(token))
    throw new CliFailure(exits.usage, "The token contains invalid characters.");
  return { url: readUrl(flags.url), token };
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
