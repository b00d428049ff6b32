import { afterAll, beforeAll, expect, test } from "vitest";
import type { Deps } from "../../../src/kernel/request/deps.ts";
import { githubToken } from "../../../src/transfer/integrations/grant.ts";
import { runDue } from "../../support/jobs.ts";
import { startApp, type App } from "../../support/app.ts";
import { startGitHub, type FakeGitHub } from "../../support/github.ts";
import { describeProject } from "../../support/github-project.ts";
import { makeWorkspace, type User, type Workspace } from "../../support/make.ts";
import { htmlPage } from "../../support/stand-in.ts";
import { read } from "./importing.ts";
import { restoreGrant } from "../../support/state.ts";

let app: App;
let github: FakeGitHub;

beforeAll(async () => {
  github = await startGitHub();
  github.expiring = true;
  app = await startApp({
    env: {
      GITHUB_CLIENT_ID: github.clientId,
      GITHUB_CLIENT_SECRET: github.clientSecret,
      GITHUB_URL: github.url,
      GITHUB_API_URL: github.apiUrl,
    },
  });
  const items = Array.from({ length: 130 }, (_, nth) => ({
    id: `PVTI_${nth}`,
    kind: "DraftIssue" as const,
    title: `Item ${nth}`,
  }));
  github.account.projects = [
    describeProject({ id: "PVT_one", title: "Roadmap", single: { Status: ["Todo"] }, items }),
  ];
});
afterAll(async () => {
  await app.close();
  await github.stop();
  if (app.errors.length > 0) throw new Error(app.errors.join("\n"));
});

/** Connects a user's account through the GitHub App, whose tokens last for eight hours. */
async function connect(user: User) {
  const started = await user.rest.get("/integration/authorize?provider=github");
  const cookie = started.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { headers } = await fetch(started.body.url, { redirect: "manual" });
  const { pathname, search } = new URL(headers.get("location") ?? "");
  const path = pathname + search;
  expect((await app.call({ method: "GET", path, headers: { cookie } })).status).toBe(200);
  return (await app.db.reader.user.findUniqueOrThrow({ where: { email: user.email } })).id;
}

async function start(home: Workspace): Promise<string> {
  const asked = { workspacePublicId: home.publicId, projectIds: ["PVT_one"] };
  const { status, body } = await home.admin.rest.post("/imports/github/projects", asked);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.publicId;
}

const grantOf = (userId: bigint) =>
  app.db.reader.integration.findUniqueOrThrow({
    where: { userId_provider: { userId, provider: "github" } },
  });

const questions = () => github.requests.filter(({ path }) => path === "/graphql").length;
const renewals = () =>
  github.requests.filter(({ body }) => body.includes("grant_type=refresh_token")).length;

/** The service, for which eight hours pass when GitHub has answered two more questions. */
function laterOn(): Deps {
  const before = questions();
  const eightHours = 8 * 60 * 60_000;
  const clock = () => {
    const now = app.deps.clock().getTime();
    return new Date(now + (questions() < before + 2 ? 0 : eightHours));
  };
  return { ...app.deps, clock };
}

test("a token that expires between two pages is renewed once, and the import continues", async () => {
  const home = await makeWorkspace(app);
  await connect(home.admin);
  const before = renewals();
  const id = await start(home);
  await runDue(laterOn());
  expect(renewals()).toBe(before + 1);
  const done = await read(home, id);
  expect(done).toMatchObject({ status: "completed", counts: { card: { created: 130 } } });
});

test("a renewal that GitHub refuses ends the import with the remedy and no incomplete board", async () => {
  const home = await makeWorkspace(app);
  const userId = await connect(home.admin);
  const id = await start(home);
  const saved = await grantOf(userId);
  // The same refresh token has been used elsewhere meanwhile.
  await githubToken({ ...app.deps, clock: laterThan(saved.tokenExpiresAt) }, userId);
  await restoreGrant(app, saved);
  await runDue({ ...app.deps, clock: laterThan(saved.tokenExpiresAt) });
  expect(await read(home, id)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("GET /integration/authorize"),
    boards: [],
  });
});

test("the import repeats a renewal that GitHub fails to answer", async () => {
  const home = await makeWorkspace(app);
  const userId = await connect(home.admin);
  const id = await start(home);
  const { tokenExpiresAt } = await grantOf(userId);
  github.failNext(htmlPage(502));
  await runDue({ ...app.deps, clock: laterThan(tokenExpiresAt) });
  expect(await read(home, id)).toMatchObject({ status: "completed", error: null });
});

test("an import waits while another request renews the token", async () => {
  const home = await makeWorkspace(app);
  const userId = await connect(home.admin);
  const id = await start(home);
  const { tokenExpiresAt } = await grantOf(userId);
  const clock = laterThan(tokenExpiresAt);
  // GitHub takes its time to renew it for the other one.
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) =>
    github.failNext((_, response) => {
      answer = () => response.destroy();
      resolve();
    }),
  );
  const other = githubToken({ ...app.deps, clock }, userId).catch(() => undefined);
  await asked;
  await runDue({ ...app.deps, clock });
  expect((await read(home, id)).status).toBe("running");
  answer();
  await other;
  await runDue({ ...app.deps, clock: () => new Date(clock().getTime() + 60_000) });
  expect(await read(home, id)).toMatchObject({ status: "completed", error: null });
});

test.each([
  ["goes well", false],
  ["fails", true],
])(
  "a connection that is ended while its token is renewed stays ended: the renewal %s",
  async (_, fails) => {
    const { admin } = await makeWorkspace(app);
    const userId = await connect(admin);
    const clock = laterThan((await grantOf(userId)).tokenExpiresAt);
    const { db } = app.deps;
    let writes = 0;
    // Whatever the renewal writes after it has taken the refresh token comes behind the user's own
    // decision.
    const transact: typeof db.transact = async (run) => {
      if (++writes === 2) await admin.rest.post("/integration/disconnect", { provider: "github" });
      return db.transact(run);
    };
    if (fails) github.failNext((_request, response) => void response.destroy());
    await githubToken({ ...app.deps, clock, db: { ...db, transact } }, userId).catch(
      () => undefined,
    );
    expect(writes).toBe(2);
    expect(await app.db.reader.integration.count({ where: { userId } })).toBe(0);
  },
);

const laterThan = (moment: Date | null) => () => new Date((moment?.getTime() ?? 0) + 1_000);
