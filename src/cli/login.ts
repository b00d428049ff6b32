import { setTimeout as pause } from "node:timers/promises";
import { defineCommand } from "citty";
import { z } from "zod";
import { createApi } from "./api.ts";
import { checkArguments, interruptible, urlOption } from "./command.ts";
import { readUrl } from "./config.ts";
import { CliFailure, exits } from "./failure.ts";
import {
  callServer,
  findLogin,
  loginIn,
  loginsFile,
  refusedBy,
  storeLogin,
  type Login,
} from "./logins.ts";
import { print, printStatus } from "./progress.ts";

const grantType = "urn:ietf:params:oauth:grant-type:device_code";
const args = { url: urlOption } as const;

const Metadata = z.object({ issuer: z.string() });
const Started = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  expires_in: z.number(),
  interval: z.number().default(5),
});
const Me = z.object({ name: z.string(), email: z.string() });

/** Asks for a code, for the REST API of a service under the address that it gives itself. */
async function start(url: string): Promise<z.infer<typeof Started>> {
  const described = await callServer(url, "/.well-known/oauth-authorization-server");
  const metadata = Metadata.safeParse(described.body);
  if (!metadata.success) {
    const message = `${url} has no wbs login: is the address right? An API key works as well.`;
    throw new CliFailure(exits.unreachable, message);
  }
  const { issuer: resource } = metadata.data;
  const answer = await callServer(url, "/oauth/device_authorization", { resource });
  if (answer.status !== 200) throw refusedBy(url, answer);
  return Started.parse(answer.body);
}

/** Polls until a person has decided. A service that is away for a moment is asked again. */
async function waitForLogin(
  url: string,
  started: z.infer<typeof Started>,
  signal: AbortSignal,
): Promise<Login> {
  const until = Date.now() + started.expires_in * 1_000;
  let { interval } = started;
  for (;;) {
    await pause(interval * 1_000, undefined, { signal });
    const form = { grant_type: grantType, device_code: started.device_code };
    const answer = await callServer(url, "/oauth/token", form).catch((error: unknown) => {
      if (Date.now() > until) throw error;
      return { status: 503, body: {} };
    });
    if (answer.status === 200) return loginIn(answer);
    const error = "error" in answer.body ? answer.body.error : undefined;
    if (error === "slow_down") interval += 5;
    const isBusy = answer.status === 429 || answer.status >= 500;
    const isPending = error === "authorization_pending" || error === "slow_down" || isBusy;
    if (!isPending || Date.now() > until) throw refusedBy(url, answer);
  }
}

/** Ends a login at its service. */
async function revoke(url: string, { refreshToken }: Login): Promise<void> {
  const answer = await callServer(url, "/oauth/revoke", { token: refreshToken });
  if (answer.status !== 200) throw refusedBy(url, answer);
}

/** Signs in at a service, in a browser on any computer. */
export const login = defineCommand({
  meta: { name: "wbs login", description: "Sign in at a service, in a browser" },
  args,
  async run({ args: { url: flag }, rawArgs }) {
    checkArguments(rawArgs, args);
    const url = readUrl(flag);
    await interruptible(async (signal) => {
      const started = await start(url);
      print(
        `Open ${started.verification_uri} in a browser, and enter the code ${started.user_code}`,
      );
      printStatus("Waiting for you to decide there …");
      const made = await waitForLogin(url, started, signal);
      const earlier = await findLogin(url);
      await storeLogin(url, made);
      // The login before it would stay among the connected apps. It may have ended already.
      if (earlier !== undefined) await revoke(url, earlier).catch(() => undefined);
      const me = await createApi({ url, token: made.accessToken }).json(Me, "/users/me");
      printStatus(`Signed in as ${me.name} (${me.email}). The tokens are in ${loginsFile()}`);
    });
  },
});

/** Signs out: the tokens stop working, also where they were copied to. */
export const logout = defineCommand({
  meta: { name: "wbs logout", description: "Sign out at a service" },
  args,
  async run({ args: { url: flag }, rawArgs }) {
    checkArguments(rawArgs, args);
    const url = readUrl(flag);
    const stored = await findLogin(url);
    if (stored === undefined) {
      printStatus(`There is no login at ${url}.`);
      return;
    }
    await revoke(url, stored);
    await storeLogin(url, undefined);
    printStatus(`Signed out at ${url}.`);
  },
});
