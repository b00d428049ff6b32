import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { request } from "undici";
import { z } from "zod";
import { configHome, readKey, readUrl, type ConnectionSettings, type Flags } from "./config.ts";
import { CliFailure, exits, outputFailure, unreachable } from "./failure.ts";

/** The command line as an app of every service. */
const clientId = "wbs-cli";
/** A token is refreshed this long before it ends, in ms. */
const earlyMs = 60_000;
const timeoutMs = 30_000;

const Login = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  /** When the access token ends, in ms since 1970. */
  expiresAt: z.number(),
});
/** The tokens of a login at a service. */
export type Login = z.infer<typeof Login>;
const Logins = z.record(z.string(), Login);

/** The file with the logins, by the address of the service. Only its owner may read it. */
export const loginsFile = () => join(configHome(), "wbs", "logins.json");

async function readLogins(): Promise<z.infer<typeof Logins>> {
  const path = loginsFile();
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "{}";
    throw outputFailure(error, path);
  });
  try {
    return Logins.parse(JSON.parse(text));
  } catch (cause) {
    const message = `${path} is not a file of logins. Delete it, and run wbs login.`;
    throw new CliFailure(exits.badFile, message, { cause });
  }
}

/** The login at a service; undefined without one. */
export async function findLogin(url: string): Promise<Login | undefined> {
  return (await readLogins())[url];
}

/** Stores the login at a service, or removes it. The file is replaced as a whole. */
export async function storeLogin(url: string, login: Login | undefined): Promise<void> {
  const path = loginsFile();
  const { [url]: _, ...others } = await readLogins();
  const logins = login === undefined ? others : { ...others, [url]: login };
  const part = `${path}.${process.pid}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(part, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 });
    await rename(part, path);
  } catch (error) {
    throw outputFailure(error, path);
  }
}

const Answer = z.record(z.string(), z.unknown());
type Answer = { status: number; body: z.infer<typeof Answer> };

/** Calls the authorization server of a service: with a form, or for one of its documents. */
export async function callServer(
  url: string,
  path: string,
  form?: Record<string, string>,
): Promise<Answer> {
  const options = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const sent =
    form === undefined
      ? options
      : {
          ...options,
          method: "POST" as const,
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: String(new URLSearchParams({ client_id: clientId, ...form })),
        };
  let status: number;
  let text: string;
  try {
    const response = await request(url + path, sent);
    status = response.statusCode;
    text = await response.body.text();
  } catch (error) {
    throw unreachable(url, error);
  }
  try {
    return { status, body: Answer.parse(JSON.parse(text)) };
  } catch (cause) {
    const message = `${url} answers, but not as this service does: is the address right?`;
    throw new CliFailure(exits.unreachable, message, { cause });
  }
}

const Refusal = z.object({
  error_description: z.string().optional(),
  message: z.string().optional(),
});

/** The failure of a refused call of the authorization server. */
export function refusedBy(url: string, { status, body }: Answer): CliFailure {
  const { data = {} } = Refusal.safeParse(body);
  const { error_description: description, message } = data;
  const exit = status === 429 || status >= 500 ? exits.unreachable : exits.refused;
  return new CliFailure(
    exit,
    `${url}: ${description ?? message ?? "The call was refused."} (${status})`,
  );
}

const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
});

/** The login in an answer of the token endpoint. */
export function loginIn({ body }: Answer): Login {
  const tokens = Tokens.parse(body);
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    expiresAt: Date.now() + tokens.expires_in * 1_000,
  };
}

const isFresh = ({ expiresAt }: Login) => expiresAt - earlyMs > Date.now();

/** The access token of the login at a service, refreshed if it ends; undefined without a login. */
export async function accessToken(url: string): Promise<string | undefined> {
  const login = await findLogin(url);
  if (login === undefined || isFresh(login)) return login?.accessToken;
  const answer = await callServer(url, "/oauth/token", {
    grant_type: "refresh_token",
    refresh_token: login.refreshToken,
  });
  if (answer.status === 200) {
    const refreshed = loginIn(answer);
    await storeLogin(url, refreshed);
    return refreshed.accessToken;
  }
  if (answer.body["error"] !== "invalid_grant" && answer.body["error"] !== "invalid_client") {
    throw refusedBy(url, answer);
  }
  await storeLogin(url, undefined);
  const message = `The login at ${url} has ended. Run wbs login --url ${url}.`;
  throw new CliFailure(exits.refused, message);
}

/** Reads address and token from options, or from `WBS_URL` and `WBS_TOKEN`, or from `wbs login`. */
export async function readConnection(flags: Flags): Promise<ConnectionSettings> {
  const key = readKey(flags);
  const url = readUrl(flags.url);
  if (key !== undefined) return { url, token: key };
  if ((await findLogin(url)) !== undefined) return { url, token: () => accessToken(url) };
  const how =
    "Run wbs login, set WBS_TOKEN to an API key (POST /api/v1/auth/api-keys creates one), or use " +
    "--token.";
  throw new CliFailure(exits.refused, `No token is set. ${how}`);
}
