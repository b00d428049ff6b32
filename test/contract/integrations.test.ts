import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import { startApp, type App } from "../support/app.ts";
import { rateLimited, secondaryLimit } from "../support/github-faults.ts";
import { startGitHub, type FakeGitHub } from "../support/github.ts";
import { makeUser, type User } from "../support/make.ts";
import { hangUp, htmlPage } from "../support/stand-in.ts";
import { expectFailure, expectFaults } from "./failure.ts";

const home = "https://board.example/done";
let github: FakeGitHub;
let app: App;
let user: User;
beforeAll(async () => {
  github = await startGitHub();
  app = await startApp({
    env: {
      GITHUB_URL: github.url,
      GITHUB_API_URL: github.apiUrl,
      GITHUB_CLIENT_ID: github.clientId,
      GITHUB_CLIENT_SECRET: github.clientSecret,
      RETURN_URLS: `${home},https://other.example`,
      TRELLO_API_KEY: "0123456789abcdef0123456789abcdef",
    },
  });
});
afterAll(async () => {
  await app.close();
  await github.stop();
  expect(app.errors).toEqual([]);
});
beforeEach(async () => {
  user = await makeUser(app);
  github.decision = "allow";
  github.expiring = false;
  github.failAlways(undefined);
  github.account.projects = [{ id: "PVT_1", title: "Roadmap" }];
});

const projectsPath = "/integrations/github/projects";
const start = async (who = user, query = "") => {
  const { status, body } = await who.rest.get(`/integration/authorize${query}`);
  expect({ status, body }).toEqual({ status: 200, body: { url: expect.any(String) } });
  return new URL(body.url);
};
/** What the user's browser does: opens GitHub's page, allows or refuses, and is sent back. */
const visit = async (url: URL) => {
  const { headers } = await fetch(url, { redirect: "manual" });
  return new URL(headers.get("location") ?? "");
};
const comeBack = ({ pathname, search }: URL) =>
  app.fetch(new Request(`http://service${pathname}${search}`));
const connect = async (who = user, query = "") => comeBack(await visit(await start(who, query)));
const failed = async (answer: Response) => ({
  status: answer.status,
  headers: answer.headers,
  body: await answer.json(),
});

describe("GET /integration/authorize", () => {
  test("answers exactly the address of GitHub's page, with state, scopes and PKCE", async () => {
    const url = await start();
    expect(`${url.origin}${url.pathname}`).toBe(`${github.url}/login/oauth/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: github.clientId,
      redirect_uri: expect.stringMatching(/\/api\/v1\/integration\/callback\/github$/),
      scope: expect.stringContaining("read:project"),
      state: expect.stringMatching(/^[\w-]{32,}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expect((await start()).searchParams.get("state")).not.toBe(url.searchParams.get("state"));
    expect(await start(user, "?provider=github")).toMatchObject({ origin: github.url });
  });

  test("answers Trello's address when asked for it", async () => {
    const url = await start(user, "?provider=trello");
    expect(url.hostname).toBe("trello.com");
    expect(url.searchParams.get("scope")).toBe("read");
  });

  test.each(["gitlab", "", "GitHub", "github&provider=github"])(
    "refuses provider=%s",
    async (provider) => {
      const reply = await user.rest.get(`/integration/authorize?provider=${provider}`);
      expectFaults(reply, "provider");
    },
  );

  test.each([
    home,
    `${home}/`,
    `${home}/deeper?tab=1#part`,
    "https://other.example/anything",
    "https://other.example",
  ])("accepts %s to return to", async (returnUrl) => {
    await start(user, `?returnUrl=${encodeURIComponent(returnUrl)}`);
  });

  test.each([
    "",
    "/done",
    "nonsense",
    "javascript:alert(1)",
    "http://board.example/done",
    "https://board.example/",
    "https://board.example/doneness",
    "https://board.example/done/../else",
    "https://board.example/done/%2e%2e/else",
    "https://board.example/done\\..\\..\\else",
    "https://board.example:444/done",
    "https://board.example.evil.example/done",
    "https://evil.example/https://board.example/done",
    "https://board.example@evil.example/done",
    "https://user:password@board.example/done",
    "https://BOARD.example./done",
    `${home}/${"a".repeat(2048)}`,
  ])("refuses %s to return to", async (returnUrl) => {
    const path = `/integration/authorize?returnUrl=${encodeURIComponent(returnUrl)}`;
    expectFaults(await user.rest.get(path), "returnUrl");
  });

  test("is 404 on a server that has no registration at GitHub", async () => {
    const bare = await startApp();
    const { rest } = await makeUser(bare);
    for (const query of ["", "?provider=trello"]) {
      expectFailure(await rest.get(`/integration/authorize${query}`), "NOT_FOUND", [{}]);
    }
    await bare.close();
  });
});

describe("the way back from GitHub", () => {
  test("connects whoever started, so that their projects can be listed", async () => {
    const answer = await connect();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
    const { status, body } = await user.rest.get(projectsPath);
    expect({ status, body }).toEqual({ status: 200, body: [{ id: "PVT_1", name: "Roadmap" }] });
    const other = await makeUser(app);
    expectFailure(await other.rest.get(projectsPath), "FORBIDDEN", [
      { code: "github_not_connected" },
    ]);
  });

  test("goes on to the address that it was started with", async () => {
    const answer = await connect(user, `?returnUrl=${encodeURIComponent(`${home}?tab=1`)}`);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`${home}?tab=1&connected=github`);
    expect(answer.headers.get("x-request-id")).toMatch(/\S/);
  });

  test("works once for a state", async () => {
    const back = await visit(await start());
    expect((await comeBack(back)).status).toBe(200);
    expectFaults(await failed(await comeBack(back)), "state");
    const raced = await visit(await start());
    const answers = await Promise.all([comeBack(raced), comeBack(raced), comeBack(raced)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  });

  test("works for ten minutes", async () => {
    const [early, late] = [await start(), await start()];
    app.advance(10 * 60 * 1000 - 1);
    expect((await comeBack(await visit(early))).status).toBe(200);
    app.advance(1);
    expectFaults(await failed(await comeBack(await visit(late))), "state");
  });

  test("refuses a state that was never given out, of another provider, or none", async () => {
    const back = await visit(await start());
    const state = back.searchParams.get("state") ?? "";
    for (const wrong of [`${state}x`, state.toUpperCase(), "a", "\u0000", ""]) {
      back.searchParams.set("state", wrong);
      expectFaults(await failed(await comeBack(back)), "state");
    }
    back.searchParams.delete("state");
    expectFaults(await failed(await comeBack(back)), "state");
    back.searchParams.set("state", state);
    const elsewhere = new URL(back.href.replace("/github?", "/trello?"));
    expectFaults(await failed(await comeBack(elsewhere)), "provider");
    expect((await comeBack(back)).status).toBe(200);
  });

  test("says so when the user refuses, and connects nobody", async () => {
    github.decision = "deny";
    const page = await failed(await connect());
    expectFaults(page, "code");
    expect(JSON.stringify(page.body)).toContain("access_denied");
    const answer = await connect(user, `?returnUrl=${encodeURIComponent(home)}`);
    expect(answer.headers.get("location")).toBe(`${home}?error=access_denied`);
    expectFailure(await user.rest.get(projectsPath), "FORBIDDEN", [{}]);
  });

  test("is 403 for a code that GitHub does not know, and 502 when GitHub is down", async () => {
    const back = await visit(await start());
    back.searchParams.set("code", "nonsense");
    expectFailure(await failed(await comeBack(back)), "FORBIDDEN", [{}]);
    const down = await visit(await start());
    github.failAlways(hangUp);
    expectFailure(await failed(await comeBack(down)), "BAD_GATEWAY", [{}]);
  });
});

describe("GET /integrations/github/projects", () => {
  test("lists the projects of the user and of their organisations, id and name only", async () => {
    await connect();
    github.account.projects = [];
    expect((await user.rest.get(projectsPath)).body).toEqual([]);
    github.account.projects = Array.from({ length: 120 }, (_, index) => ({
      id: `PVT_${index}`,
      title: `Project ${index}`,
    }));
    const { body } = await user.rest.get(projectsPath);
    expect(body).toEqual(github.account.projects.map(({ id, title }) => ({ id, name: title })));
  });

  test("is 403 when nothing is connected, and says how to mend it", async () => {
    const reply = await user.rest.get(projectsPath);
    expectFailure(reply, "FORBIDDEN", [
      { message: expect.stringContaining("/integration/authorize"), code: "github_not_connected" },
    ]);
  });

  test("is 403 when GitHub refuses the token, and says how to mend it", async () => {
    await connect();
    github.failAlways(() => ({ status: 401, body: { message: "Bad credentials" } }));
    expectFailure(await user.rest.get(projectsPath), "FORBIDDEN", [
      { message: expect.stringContaining("/integration/authorize") },
    ]);
    github.failAlways(undefined);
    await connect();
    expect((await user.rest.get(projectsPath)).status).toBe(200);
  });

  test("is 429 with GitHub's own delay at its limit", async () => {
    await connect();
    for (const fault of [secondaryLimit(429, "37"), secondaryLimit(403, "37")]) {
      github.failAlways(fault);
      const reply = await user.rest.get(projectsPath);
      expectFailure(reply, "TOO_MANY_REQUESTS", [{}]);
      expect(reply.headers.get("retry-after")).toBe("37");
    }
    github.failAlways(rateLimited(600));
    const reply = await user.rest.get(projectsPath);
    expectFailure(reply, "TOO_MANY_REQUESTS", [{}]);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(500);
  });

  test.each([
    ["is down", hangUp],
    ["answers 500", htmlPage(500)],
    ["answers a page", htmlPage(200)],
  ])("is 502 when GitHub %s", async (_, fault) => {
    await connect();
    github.failAlways(fault);
    expectFailure(await user.rest.get(projectsPath), "BAD_GATEWAY", [{}]);
  });

  test("renews a grant that expires, and keeps asking with the new one", async () => {
    github.expiring = true;
    await connect();
    app.advance(8 * 60 * 60 * 1000);
    const { body } = await app.call({
      method: "POST",
      path: "/auth/refresh",
      body: { refreshToken: user.refreshToken },
    });
    for (const _ of [1, 2]) {
      const reply = await app.call({ method: "GET", path: projectsPath, token: body.accessToken });
      expect(reply.status).toBe(200);
    }
  });

  test("answers each of two calls with one Idempotency-Key: reading is no write", async () => {
    await connect();
    const options = { headers: { "Idempotency-Key": "read-twice" } };
    const first = await user.rest.get(projectsPath, options);
    github.account.projects = [];
    const second = await user.rest.get(projectsPath, options);
    expect([first.status, second.status, second.body]).toEqual([200, 200, []]);
  });
});

describe("GitHub's token", () => {
  test("is sealed in the database, and stands in no answer and no log", async () => {
    const lines: string[] = [];
    const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
    const loud = createApp({ ...app.deps, log });
    const call = (path: string, token?: string) =>
      loud.request(
        path,
        token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } },
      );
    github.expiring = true;
    const before = github.requests.length;
    const started = await call("/api/v1/integration/authorize", user.token);
    const { url } = (await started.json()) as { url: string };
    const back = await visit(new URL(url));
    const answers = [await call(back.pathname + back.search)];
    answers.push(await call(`/api/v1${projectsPath}`, user.token));
    github.failAlways(({ headers }) => ({ status: 500, body: String(headers.authorization) }));
    answers.push(await call(`/api/v1${projectsPath}`, user.token));

    const used = github.requests.slice(before);
    const token = used.at(-1)?.headers.authorization?.replace(/^Bearer /i, "") ?? "";
    expect(token).toMatch(/^ghu_\w{30,}/);
    const secrets = [token, github.clientSecret, user.token, back.searchParams.get("code") ?? ""];
    secrets.push(back.searchParams.get("state") ?? "");
    const rows = await app.db.read("SELECT to_jsonb(i)::text AS row FROM integrations i", []);
    const states = await app.db.read("SELECT to_jsonb(s)::text AS row FROM oauth_states s", []);
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(lines.length).toBeGreaterThan(3);
    expect(rows.length * states.length).toBeGreaterThan(0);
    for (const secret of secrets) {
      const everything = [
        JSON.stringify([rows, states]),
        lines.join("\n"),
        texts.join("\n"),
      ].join();
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(Buffer.from(secret).toString("base64"));
    }
    expect(JSON.stringify(rows)).not.toMatch(/gh[our]_/);
  });
});
