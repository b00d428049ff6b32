import { z } from "zod";
import { CliFailure, exits } from "./failure.ts";

const Url = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));

/** Whether a terminal is to be shown colours (https://no-color.org). */
export const wantsColour = () => (process.env["NO_COLOR"] ?? "") === "";

/** Where the service is, and with what to come. */
export type Connection = { url: string; token: string };

/** Reads where the service is from flags, else from `WBS_URL` and `WBS_TOKEN`: the command line has no other settings, and needs none of the service's. */
export function readConnection(flags: { url?: unknown; token?: unknown }): Connection {
  const { WBS_URL = "http://127.0.0.1:3000", WBS_TOKEN = "" } = process.env;
  const url = Url.safeParse(flags.url ?? WBS_URL);
  if (!url.success) {
    throw new CliFailure(exits.usage, "The address of the service must begin with http or https.");
  }
  const token = typeof flags.token === "string" ? flags.token : WBS_TOKEN;
  if (token === "") {
    const how =
      "Set WBS_TOKEN to an API key (POST /api/v1/auth/api-keys makes one), or use --token.";
    throw new CliFailure(exits.refused, `There is no token. ${how}`);
  }
  if (!/^[!-~]+$/.test(token)) throw new CliFailure(exits.usage, "The token is none.");
  return { url: url.data, token };
}
