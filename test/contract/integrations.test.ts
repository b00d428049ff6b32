import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { createApp } from "../../src/app/http-application.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { rateLimited, secondaryLimit } from "../support/github-faults.ts";
import { disconnect, htmlPage } from "../support/stand-in.ts";
import { projectsPath, useGitHub } from "./connecting.ts";
import { expectFailure } from "./failure.ts";

const gh = useGitHub();

describe("GET /integrations/github/projects", () => {
  test("returns exactly id and name of the user's and organizations' projects", async () => {
    const { github, user, connect } = gh();
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

  test("is 403 without a connection, with a hint", async () => {
    const { user } = gh();
    const reply = await user.rest.get(projectsPath);
    expectFailure(reply, "FORBIDDEN", [
      { message: expect.stringContaining("/integration/authorize"), code: "github_not_connected" },
    ]);
  });

  test("is 403 when GitHub rejects the token, with a hint", async () => {
    const { github, user, connect } = gh();
    await connect();
    github.failAlways(() => ({ status: 401, body: { message: "Bad credentials" } }));
    expectFailure(await user.rest.get(projectsPath), "FORBIDDEN", [
      { message: expect.stringContaining("/integration/authorize") },
    ]);
    github.failAlways(undefined);
    await connect();
    expect((await user.rest.get(projectsPath)).status).toBe(200);
  });

  test("is 429 with GitHub's delay at its limit", async () => {
    const { github, user, connect } = gh();
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
    ["is down", disconnect],
    ["answers 500", htmlPage(500)],
    ["answers a page", htmlPage(200)],
  ])("is 502 when GitHub %s", async (_, fault) => {
    const { github, user, connect } = gh();
    await connect();
    github.failAlways(fault);
    expectFailure(await user.rest.get(projectsPath), "BAD_GATEWAY", [{}]);
  });

  test("refreshes an expiring token and uses the new one", async () => {
    const { app, github, user, connect } = gh();
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

  test("ignores an Idempotency-Key on a read", async () => {
    const { github, user, connect } = gh();
    await connect();
    const options = { headers: { "Idempotency-Key": "read-twice" } };
    const first = await user.rest.get(projectsPath, options);
    github.account.projects = [];
    const second = await user.rest.get(projectsPath, options);
    expect([first.status, second.status, second.body]).toEqual([200, 200, []]);
  });
});

describe("GitHub's token", () => {
  test("is sealed in the database, and never in responses or logs", async () => {
    const { app, github, user, visit } = gh();
    const lines: string[] = [];
    const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
    const loud = createApp({ ...app.deps, log });
    let cookie = "";
    const call = (path: string, token?: string) =>
      loud.request(path, {
        headers: { cookie, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
      });
    github.expiring = true;
    const before = github.requests.length;
    const started = await call("/api/v1/integration/authorize", user.token);
    const { url } = (await started.json()) as { url: string };
    cookie = started.headers.get("set-cookie")?.split(";")[0] ?? "";
    const back = await visit(new URL(url));
    const states = await app.db.read(sql`SELECT to_jsonb(s)::text AS row FROM oauth_states s`);
    const responses = [await call(back.pathname + back.search)];
    responses.push(await call(`/api/v1${projectsPath}`, user.token));
    github.failAlways(({ headers }) => ({ status: 500, body: String(headers.authorization) }));
    responses.push(await call(`/api/v1${projectsPath}`, user.token));

    const used = github.requests.slice(before);
    const token = used.at(-1)?.headers.authorization?.replace(/^Bearer /i, "") ?? "";
    expect(token).toMatch(/^ghu_\w{30,}/);
    const secrets = [token, github.clientSecret, user.token, back.searchParams.get("code") ?? ""];
    secrets.push(back.searchParams.get("state") ?? "", cookie.split("=")[1] ?? "");
    const rows = await app.db.read(sql`SELECT to_jsonb(i)::text AS row FROM integrations i`);
    const texts = await Promise.all(responses.map((response) => response.text()));
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
