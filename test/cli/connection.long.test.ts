import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../src/app/http-application.ts";
import { useApp } from "../support/app.ts";
import { runDue } from "../support/jobs.ts";
import { listen } from "../support/listen.ts";
import { makeWorkspace, type Workspace } from "../support/make.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { minimalDocument } from "../transfer/exports/minimal.ts";
import { environmentOf, useWbs, wbs, type Wbs } from "./wbs.ts";

// The options for the address and the token, and the rate limit of a gateway before the service.
const app = useApp({ isolated: true });
const served = useWbs(app);
let workspace: Workspace;
let env: Record<string, string>;
beforeAll(async () => {
  workspace = await makeWorkspace(app());
  env = await environmentOf(served(), workspace);
});

describe("--url and --token", () => {
  const positions = [
    ["behind the command", (options: string[]) => ["export", ...options]],
    ["before the command", (options: string[]) => [...options, "export"]],
    ["before a subcommand", (options: string[]) => ["export", ...options, "workspace"]],
  ] as const;
  test.each(positions)("%s replace the variables of the environment", async (_, commandWith) => {
    const { WBS_URL = "", WBS_TOKEN = "" } = env;
    const wrong = { WBS_URL: "http://127.0.0.1:9", WBS_TOKEN: "wbs_invalid" };
    const options = ["--url", WBS_URL, `--token=${WBS_TOKEN}`];
    const args = [...commandWith(options), "--workspace", workspace.slug, "-o", "-"];
    const { code, out } = await wbs(served().main, await temporaryDirectory(), args, wrong).ended;
    expect(code).toBe(0);
    expect(JSON.parse(out).workspace.slug).toBe(workspace.slug);
  });
});

test("an option's value may be the name of a subcommand", async () => {
  const args = ["export", "--workspace", "csv", "--token", "invalid"];
  const { code, said } = await wbs(served().main, await temporaryDirectory(), args, env).ended;
  expect([code, said]).toEqual([3, expect.stringContaining("(401)")]);
});

/** A gateway that refuses the first uploads with 429. */
async function gateway(refusals: number, retryAfter: string) {
  const { fetch } = createApp(app().deps);
  const received: string[] = [];
  const server = await listen(async (request) => {
    if (!request.url.endsWith("/imports/workspace")) return fetch(request);
    const text = await request.clone().text();
    received.push(text);
    if (received.length > refusals) return fetch(request);
    const body = { code: "TOO_MANY_REQUESTS", message: "Too many requests", issues: [] };
    return Response.json(body, { status: 429, headers: { "Retry-After": retryAfter } });
  });
  return { ...server, received };
}

/** Starts the import of a small workspace through a gateway. */
async function startImport(url: string, name: string): Promise<{ cli: Wbs; text: string }> {
  const directory = await temporaryDirectory();
  const file = join(directory, "w.json");
  await writeFile(file, JSON.stringify(minimalDocument(name)));
  const args = ["import", "workspace", "w.json"];
  const cli = wbs(served().main, directory, args, { ...env, WBS_URL: url });
  return { cli, text: await readFile(file, "utf8") };
}

describe("wbs import over the rate limit", () => {
  const again = "The file is sent again in";

  test.each([
    ["seconds", () => "1"],
    ["a date", () => new Date(Date.now() + 1_000).toUTCString()],
  ])("sends the whole file again after Retry-After, in %s", async (form, retryAfter) => {
    const { url, received, close } = await gateway(2, retryAfter());
    const { cli, text } = await startImport(url, `Again after ${form}`);
    await expect.poll(cli.said, { interval: 20 }).toMatch(/^Import \w{12} into/m);
    await runDue(app().deps);
    const { code, said } = await cli.ended;
    expect([code, said]).toEqual([0, expect.stringContaining(again)]);
    expect(received).toEqual([text, text, text]);
    await close();
  });

  test("ends at once by Ctrl-C while it waits", async () => {
    const { url, received, close } = await gateway(1, "50");
    const { cli } = await startImport(url, "Interrupted");
    await expect.poll(cli.said, { interval: 20 }).toContain(`${again} 50 s`);
    cli.process.kill("SIGINT");
    const { code, said } = await cli.ended;
    expect([code, said]).toEqual([130, expect.stringContaining("Interrupted.")]);
    expect(received).toHaveLength(1);
    await close();
  });

  test("ends with an error when the wait would be long", async () => {
    const { url, received, close } = await gateway(1, "3600");
    const { code, said } = await (await startImport(url, "Long")).cli.ended;
    expect([code, said]).toEqual([1, expect.stringContaining("Too many requests (429)")]);
    expect(received).toHaveLength(1);
    await close();
  });
});

describe("wbs import", () => {
  test("reads the archive that wbs export --files writes", async () => {
    const directory = await temporaryDirectory();
    const out = ["export", "--workspace", workspace.slug, "--files", "-o", "all.tar"];
    expect((await wbs(served().main, directory, out, env).ended).code).toBe(0);
    const cli = wbs(served().main, directory, ["import", "workspace", "all.tar"], env);
    await expect.poll(cli.said, { interval: 20 }).toMatch(/^Import \w{12} into/m);
    await runDue(app().deps);
    expect(await cli.ended).toMatchObject({ code: 0, out: expect.stringContaining("completed") });
  });

  test("of projects of GitHub needs a connection", async () => {
    const args = ["import", "github", "PVT_1, PVT_2", "--workspace", workspace.slug];
    const { code, said } = await wbs(served().main, await temporaryDirectory(), args, env).ended;
    expect([code, said]).toEqual([3, expect.stringContaining("No GitHub account is connected.")]);
  });

  test("ends at once by a second Ctrl-C", async () => {
    const { url, close } = await listen(() => new Promise<Response>(() => undefined));
    const { cli } = await startImport(url, "Twice");
    await expect.poll(cli.said, { interval: 20 }).toMatch(/^sending: (\d+) of \1$/m);
    cli.process.kill("SIGINT");
    await expect.poll(cli.said, { interval: 20 }).toContain("The file was sent");
    cli.process.kill("SIGINT");
    expect((await cli.ended).code).toBe(130);
    await close();
  });
});
