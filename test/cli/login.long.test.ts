import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type App } from "../support/app.ts";
import { freePort, listen } from "../support/listen.ts";
import { makeWorkspace } from "../support/make.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { waitUntil } from "../support/wait.ts";
import { answer } from "../domain/oauth/app.ts";
import { useWbs, wbs } from "./wbs.ts";

let app: App;
let service: { url: string; close: () => Promise<void> };

beforeAll(async () => {
  const port = await freePort();
  app = await startApp({ env: { BASE_URL: `http://127.0.0.1:${port}` } });
  service = await listen(app.fetch, port);
});
const served = useWbs(() => app);
afterAll(async () => {
  await service.close();
  await app.close();
});

/** A home directory with the command line in it, and the file where it keeps its tokens. */
async function computer() {
  const home = await temporaryDirectory();
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, "config"), WBS_URL: service.url };
  const file = join(home, "config", "wbs", "logins.json");
  const run = (args: string[], more: Record<string, string> = {}) =>
    wbs(served().main, home, args, { ...env, ...more });
  return { run, file, stored: async () => JSON.parse(await readFile(file, "utf8")) };
}

type Computer = Awaited<ReturnType<typeof computer>>;

async function signIn({ run }: Computer, workspace: Awaited<ReturnType<typeof makeWorkspace>>) {
  const login = run(["login"]);
  let printed = "";
  login.process.stdout?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  await waitUntil(() => printed.includes("\n"));
  expect(printed).toContain(`Open ${service.url}/oauth/device in a browser`);
  const [userCode = ""] = /[A-Z]{4}-[A-Z]{4}/.exec(printed) ?? [];
  expect((await answer(workspace.admin, { userCode })).status).toBe(200);
  const { code, said } = await login.ended;
  expect(code, said).toBe(0);
  expect(said).toContain(`Signed in as Admin (${workspace.admin.email})`);
}

test("wbs login signs in, commands use it and refresh it, and wbs logout ends it", async () => {
  const workspace = await makeWorkspace(app);
  const here = await computer();
  const { code, said } = await here.run(["export", "workspace", workspace.publicId, "-o", "-"])
    .ended;
  expect(code).toBe(3);
  expect(said).toContain("Run wbs login");

  await signIn(here, workspace);
  expect((await stat(here.file)).mode & 0o777).toBe(0o600);
  const first = (await here.stored())[service.url];
  const exported = () => here.run(["export", "workspace", workspace.publicId, "-o", "-"]).ended;
  expect(JSON.parse((await exported()).out)).toMatchObject({ complete: true });
  expect((await here.stored())[service.url]).toEqual(first);

  await writeFile(here.file, JSON.stringify({ [service.url]: { ...first, expiresAt: 0 } }));
  const atOnce = await Promise.all([exported(), exported()]);
  for (const { code: ended, said: text } of atOnce) expect(ended, text).toBe(0);
  const refreshed = (await here.stored())[service.url];
  expect(refreshed.refreshToken).not.toBe(first.refreshToken);
  expect((await stat(here.file)).mode & 0o777).toBe(0o600);

  // A second login replaces the first among the connected apps.
  await signIn(here, workspace);
  const keys = async () => (await workspace.admin.rest.get("/auth/api-keys")).body;
  expect(await keys()).toHaveLength(1);

  expect((await here.run(["logout"]).ended).said).toContain("Signed out");
  expect(await here.stored()).toEqual({});
  expect(await keys()).toEqual([]);
  expect((await exported()).code).toBe(3);
  expect((await here.run(["logout"]).ended).said).toContain("There is no login");
});

test("a login that was ended says so, and is forgotten", async () => {
  const workspace = await makeWorkspace(app);
  const here = await computer();
  await signIn(here, workspace);
  const { body } = await workspace.admin.rest.get("/auth/api-keys");
  await workspace.admin.rest.delete(`/auth/api-keys/${body[0].publicId}`);
  const login = (await here.stored())[service.url];
  await writeFile(here.file, JSON.stringify({ [service.url]: { ...login, expiresAt: 0 } }));
  const { code, said } = await here.run(["status", "q8w2e5r7t1y4"]).ended;
  expect(code).toBe(3);
  expect(said).toContain("Run wbs login");
  expect(await here.stored()).toEqual({});
});

test("a refusal, an address without the service and a broken file are explained", async () => {
  const workspace = await makeWorkspace(app);
  const here = await computer();
  const login = here.run(["login"]);
  let printed = "";
  login.process.stdout?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  await waitUntil(() => printed.includes("\n"));
  const [userCode = ""] = /[A-Z]{4}-[A-Z]{4}/.exec(printed) ?? [];
  await answer(workspace.admin, { userCode }, { allow: false });
  const refused = await login.ended;
  expect(refused.code).toBe(3);
  expect(refused.said).toContain("refused");
  const nowhere = await here.run(["login", "--url", "http://127.0.0.1:1"]).ended;
  expect(nowhere.code).toBe(6);
  await mkdir(join(here.file, ".."), { recursive: true });
  await writeFile(here.file, "broken");
  const broken = await here.run(["export", "workspace", workspace.publicId]).ended;
  expect(broken.code).toBe(7);
  expect(broken.said).toContain("is not a file of logins");
  // A key needs no file.
  const env = { WBS_TOKEN: workspace.admin.token };
  const keyed = await here.run(["export", "workspace", workspace.publicId, "-o", "-"], env).ended;
  expect(keyed.code, keyed.said).toBe(0);
});
