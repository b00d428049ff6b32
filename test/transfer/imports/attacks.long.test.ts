import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { waitFor } from "../../support/wait.ts";
import {
  importSources,
  sourceNames,
  type SourceName,
} from "../../../src/contract/vocabulary/import-sources.ts";
import { saveGrant } from "../../../src/transfer/integrations/grant.ts";
import { startApp, type App } from "../../support/app.ts";
import { startWorkers, type Workers } from "../../support/jobs.ts";
import { makeWorkspace, type Workspace } from "../../support/make.ts";

let host: Worker;
let app: App;
let url = "";
let workers: Workers;
const told: unknown[] = [];

beforeAll(async () => {
  host = new Worker(new URL("../../support/hostile-host.mjs", import.meta.url));
  const [{ port }] = await once(host, "message");
  host.on("message", (message) => told.push(message));
  url = `http://127.0.0.1:${port}`;
  app = await startApp({
    env: {
      WEBHOOK_ALLOW_HTTP: "true",
      WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8",
      TRELLO_API_URL: url,
      GITHUB_API_URL: url,
      GITHUB_URL: url,
      GITHUB_CLIENT_ID: "id",
      GITHUB_CLIENT_SECRET: "secret",
    },
  });
});
afterAll(async () => {
  await app.close();
  await host.terminate();
  if (app.errors.length > 0) throw new Error(app.errors.join("\n"));
});
beforeEach(() => {
  told.length = 0;
  workers = startWorkers(app.deps, 2);
});
afterEach(() => workers.stop());

/** Sends a file to import. */
async function sendFile(home: Workspace, path: string, body: string) {
  const response = await app.fetch(
    new Request(`http://service/api/v1/imports/${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${home.admin.token}` },
      body,
    }),
  );
  return { status: response.status, body: await response.json() };
}

async function connectGitHub({ admin }: Workspace) {
  const { id } = await app.db.reader.user.findUniqueOrThrow({ where: { email: admin.email } });
  const token = { accessToken: "gho_x", scopes: ["read:org", "read:project", "repo"] };
  const forEver = { expiresIn: null, refreshToken: null, refreshTokenExpiresIn: null };
  await saveGrant(app.deps, id, { ...token, ...forEver }, "octocat");
}

const each = (count: number, of: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => of(nth)).join();

const distinctKeys = `{${each(1_900_000, (nth) => `"k${nth}":0`)}}`;

/** Files that attack who reads them. */
const files: Record<string, (source: SourceName) => string> = {
  "distinct keys": () => distinctKeys,
  "small cards": (source) =>
    source === "csv"
      ? `title\n${"x\n".repeat(90_000)}`
      : `{"id":"b","lists":[{"id":"l","name":"L"}],"cards":[${each(140_000, (nth) => `{"id":"c${nth}","idList":"l","name":"x"}`)}]}`,
  "one line of delimiters": () => ",".repeat(499_000),
  "one large element": () =>
    `{"id":"b","lists":[],"cards":[{"id":"c","x":[${each(900_000, String)}]}]}`,
  "nested arrays": () => `{"id":${"[".repeat(8_000_000)}`,
  "no JSON": () => `{"id":"${"x".repeat(30_000_000)}`,
};

type Reply = { status: number; body: any };

/** How an import of each source starts. */
const starts: Record<SourceName, (home: Workspace, file: string) => Promise<Reply>> = {
  trello: (home) =>
    home.admin.rest.post("/imports/trello/boards", {
      workspacePublicId: home.publicId,
      boardIds: ["5abbe4b7ddc1b351ef961414"],
      apiKey: "k".repeat(32),
      token: "t".repeat(76),
    }),
  github: async (home) => {
    await connectGitHub(home);
    const input = { workspacePublicId: home.publicId, projectIds: ["PVT_x"] };
    return home.admin.rest.post("/imports/github/projects", input);
  },
  planka: (home) =>
    home.admin.rest.post("/imports/planka", {
      workspacePublicId: home.publicId,
      url,
      token: "x",
      boardIds: ["b"],
    }),
  kan: (home) =>
    home.admin.rest.post("/imports/kan", {
      workspacePublicId: home.publicId,
      url,
      apiKey: "x",
      boardIds: ["b"],
    }),
  csv: (home, file) =>
    sendFile(home, `csv?workspacePublicId=${home.publicId}&boardName=Board`, file),
  trelloFile: (home, file) =>
    sendFile(home, `trello/file?workspacePublicId=${home.publicId}`, file),
  workspace: (home, file) => sendFile(home, "workspace", file),
};

const hostAttacks = [
  "distinct keys",
  "small cards",
  "lists in HTML",
  "nested arrays",
  "other types",
  "no JSON",
];

/** Of each source: files attack by themselves, and hosts by their answers. */
const attacks = sourceNames.flatMap((source) =>
  (importSources[source].isFile ? Object.keys(files) : hostAttacks).map(
    (attack): [SourceName, string] => [source, attack],
  ),
);

const importOf = async (home: Workspace, id: string) =>
  (await home.admin.rest.get(`/imports/${id}`)).body;
const hasEnded = ({ status }: { status: string }) => ["completed", "failed"].includes(status);

/**
 * Whether this process was held as by such an attack when it read the bytes itself, which it did
 * for much longer than half of this parse takes on this machine now.
 */
function isHeld(ms: number): boolean {
  if (ms < 3_000) return false;
  const since = performance.now();
  JSON.parse(distinctKeys);
  return ms >= (performance.now() - since) / 2;
}

test.each(attacks)("%s with %s does not hold the process", async (source, attack) => {
  const home = await makeWorkspace(app);
  host.postMessage(attack);
  const file = files[attack]?.(source) ?? "";
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const { status, body } = await starts[source](home, file);
  // An attack that is found at once is refused; any other one ends its own import.
  expect(status, JSON.stringify(body)).toBeLessThan(status === 200 ? 201 : 413);
  if (status === 200)
    await waitFor(
      async () => {
        const now = await importOf(home, body.publicId);
        const isWriting = now.progress.phase === "cards" && now.progress.done > 0;
        const isWaiting = now.progress.phase === "waiting";
        expect(hasEnded(now) || isWriting || isWaiting, JSON.stringify(now)).toBe(true);
        expect(now.error ?? "").not.toContain("internal error");
      },
      { timeout: 120_000 },
    );
  delay.disable();
  if (status === 200) await home.admin.rest.post(`/imports/${body.publicId}/cancel`, {});
  const heldMs = Math.round(delay.max / 1e6);
  process.stdout.write(`${source} with ${attack}: held for ${heldMs} ms at most\n`);
  expect(isHeld(heldMs)).toBe(false);
});

const dripping = sourceNames.filter((source) => !importSources[source].isFile);

test.each(dripping)(
  "hosts of %s that drip hold nobody else up, and are cancelled at once",
  async (source) => {
    host.postMessage("drip");
    const homes = await Promise.all(Array.from({ length: 5 }, () => makeWorkspace(app)));
    const started = await Promise.all(homes.map((home) => starts[source](home, "")));
    expect(started.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    // All of them wait, with two workers for long jobs.
    await waitFor(() => expect(told.filter((word) => word === "asked").length).toBe(5));
    const other = await makeWorkspace(app);
    const since = performance.now();
    const { body } = await starts.csv(other, "title\nOne");
    await waitFor(async () =>
      expect(await importOf(other, body.publicId)).toMatchObject({ status: "completed" }),
    );
    const ms = Math.round(performance.now() - since);
    process.stdout.write(`with five hosts of ${source} that drip, another import took ${ms} ms\n`);
    for (const [nth, home] of homes.entries())
      await home.admin.rest.post(`/imports/${started[nth]?.body.publicId}/cancel`, {});
    await waitFor(() => expect(told.filter((word) => word === "closed").length).toBe(5));
  },
);

test.each(dripping)("ids that %s has twice are in the report", async (source) => {
  host.postMessage("the same ids");
  const home = await makeWorkspace(app);
  const { body } = await starts[source](home, "");
  await waitFor(async () => {
    const now = await importOf(home, body.publicId);
    expect(hasEnded(now), JSON.stringify(now)).toBe(true);
  });
  const ended = await importOf(home, body.publicId);
  expect(ended).toMatchObject({ status: "completed", error: null });
  const ofCards = ended.counts.find(({ kind }: { kind: string }) => kind === "card");
  expect(ofCards.created).toBe(2);
  // An item that GitHub has on two pages was moved meanwhile.
  const reasons = ended.report.items.map(({ reason }: { reason: string }) => reason).join();
  if (source !== "github") expect(reasons).toContain("another one with the same id");
});
