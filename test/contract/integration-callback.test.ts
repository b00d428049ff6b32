import { describe, expect, test } from "vitest";
import { makeUser } from "../support/make.ts";
import { disconnect } from "../support/stand-in.ts";
import { home, projectsPath, useGitHub } from "./connecting.ts";
import { expectFailure, expectFaults } from "./failure.ts";

const gh = useGitHub();
const failed = async (response: Response) => ({
  status: response.status,
  headers: response.headers,
  body: await response.json(),
});

describe("the callback from GitHub", () => {
  test("connects the user who started it", async () => {
    const { app, user, connect } = gh();
    const response = await connect();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    const { status, body } = await user.rest.get(projectsPath);
    expect({ status, body }).toEqual({ status: 200, body: [{ id: "PVT_1", name: "Roadmap" }] });
    const other = await makeUser(app);
    expectFailure(await other.rest.get(projectsPath), "FORBIDDEN", [
      { code: "github_not_connected" },
    ]);
  });

  test("redirects to the returnUrl with a result", async () => {
    const { connect } = gh();
    const response = await connect(`?returnUrl=${encodeURIComponent(`${home}?tab=1`)}`);
    expect(response.status).toBe(303);
    const location = response.headers.get("location") ?? "";
    expect(location).toMatch(
      /^https:\/\/board\.example\/done\?tab=1&provider=github&result=[\w-]{43}$/,
    );
    expect(response.headers.get("x-request-id")).toMatch(/\S/);
  });

  test("accepts a state once", async () => {
    const { start, visit, comeBack } = gh();
    const back = await visit(await start());
    expect((await comeBack(back)).status).toBe(200);
    expectFaults(await failed(await comeBack(back)), "state");
    const raced = await visit(await start());
    const responses = await Promise.all([comeBack(raced), comeBack(raced), comeBack(raced)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  });

  test("is not consumed by HEAD, for example by link previews", async () => {
    const { app, start, visit, comeBack } = gh();
    const back = await visit(await start());
    const path = `${back.pathname}${back.search}`;
    const looked = await app.call({ method: "HEAD", path });
    expect({ status: looked.status, allow: looked.headers.get("allow") }).toEqual({
      status: 405,
      allow: "GET",
    });
    expect((await comeBack(back)).status).toBe(200);
  });

  test("expires after ten minutes", async () => {
    const { app, start, visit, comeBack } = gh();
    const early = await start();
    const { cookie } = gh();
    const late = await start();
    app.advance(10 * 60 * 1000 - 1);
    expect((await comeBack(await visit(early), cookie)).status).toBe(200);
    app.advance(1);
    expectFaults(await failed(await comeBack(await visit(late))), "state");
  });

  test("rejects an unknown or missing state and one of another provider", async () => {
    const { start, visit, comeBack } = gh();
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

  test("reports a denial by the user, without a connection", async () => {
    const { github, user, connect } = gh();
    github.decision = "deny";
    const page = await failed(await connect());
    expectFaults(page, "code");
    expect(JSON.stringify(page.body)).toContain("access_denied");
    const response = await connect(`?returnUrl=${encodeURIComponent(home)}`);
    expect(response.headers.get("location")).toBe(`${home}?error=access_denied`);
    expectFailure(await user.rest.get(projectsPath), "FORBIDDEN", [{}]);
  });

  test("is 403 for a code that GitHub rejects, and 502 when GitHub is down", async () => {
    const { github, start, visit, comeBack } = gh();
    const back = await visit(await start());
    back.searchParams.set("code", "nonsense");
    expectFailure(await failed(await comeBack(back)), "FORBIDDEN", [{}]);
    const down = await visit(await start());
    github.failAlways(disconnect);
    expectFailure(await failed(await comeBack(down)), "BAD_GATEWAY", [{}]);
  });
});
