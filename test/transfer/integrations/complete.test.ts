import { describe, expect, test } from "vitest";
import { home, projectsPath, useGitHub } from "../../contract/connecting.ts";
import { expectFailure, expectFaults } from "../../contract/failure.ts";
import { request, withDeps } from "../../domain/auth/account.ts";
import { signedIn, type As } from "../../support/as.ts";
import { makeUser } from "../../support/make.ts";

const gh = useGitHub();
const path = "/integration/complete";
const withReturn = `?returnUrl=${encodeURIComponent(home)}`;

/** The result with which GitHub's answer to the current user's link returns to the app. */
async function resultOf(): Promise<string> {
  const location = (await gh().connect(withReturn)).headers.get("location") ?? "";
  return new URL(location).searchParams.get("result") ?? "";
}

const isConnected = async ({ rest }: Pick<As, "rest">) =>
  (await rest.get("/integration/providers")).body[0].connected;

describe("integration.complete", () => {
  test("connects the user who started, once", async () => {
    const { user } = gh();
    const result = await resultOf();
    expect(await isConnected(user)).toBe(false);
    const { status, body } = await user.rest.post(path, { result });
    expect({ status, body }).toEqual({
      status: 200,
      body: { provider: "github", account: "octocat" },
    });
    expect((await user.rest.get(projectsPath)).status).toBe(200);
    expectFaults(await user.rest.post(path, { result }), "result");
  });

  test("works over tRPC", async () => {
    const result = await resultOf();
    const done = await gh().user.trpc.integration.complete.mutate({ result });
    expect(done).toEqual({ provider: "github", account: "octocat" });
  });

  test("does not connect the account of a person who opens another user's link", async () => {
    const { app, user: attacker, start, visit, comeBack } = gh();
    const victim = await makeUser(app);
    // The victim opens the link, approves, and their app sends the result as the victim.
    const back = await comeBack(await visit(await start(withReturn)), "");
    const result = new URL(back.headers.get("location") ?? "").searchParams.get("result") ?? "";
    expectFailure(await victim.rest.post(path, { result }), "FORBIDDEN", [
      {
        message: "Another user or session started this connection. Start it again.",
        code: "started_elsewhere",
      },
    ]);
    // The result is used up, even when the attacker learns it.
    expectFaults(await attacker.rest.post(path, { result }), "result");
    expect([await isConnected(attacker), await isConnected(victim)]).toEqual([false, false]);
  });

  test("does not connect the account of a person who opens another user's link without returnUrl", async () => {
    const { app, user: attacker, start, visit, comeBack } = gh();
    const victim = await makeUser(app);
    const link = await start();
    const { cookie } = gh();
    const { pathname, search } = await visit(link);
    const url = new URL(`http://service${pathname}${search}`);
    const refused = await comeBack(url, "theme=dark; wbs_connect=guess");
    const { status, headers } = refused;
    expectFailure({ status, headers, body: await refused.json() }, "FORBIDDEN", [
      { message: expect.stringContaining("Another browser") },
    ]);
    // The attacker's own browser cannot use the victim's answer afterwards.
    expect((await comeBack(url, cookie)).status).toBe(400);
    expect([await isConnected(attacker), await isConnected(victim)]).toEqual([false, false]);
  });

  test("refuses another session of the same user", async () => {
    const { app, user } = gh();
    const other = await signedIn(app, user);
    const result = await resultOf();
    expect((await other.rest.post(path, { result })).status).toBe(403);
    expect(await isConnected(user)).toBe(false);
  });

  test("expires ten minutes after the return", async () => {
    const { app, user } = gh();
    const [early, late] = [await resultOf(), await resultOf()];
    app.advance(10 * 60_000 - 1);
    expect((await user.rest.post(path, { result: early })).status).toBe(200);
    app.advance(1);
    expectFaults(await user.rest.post(path, { result: late }), "result");
  });

  test("rejects a wrong result", async () => {
    const { user } = gh();
    const result = await resultOf();
    for (const wrong of [`${result}x`, result.toLowerCase(), "a", ""]) {
      expectFaults(await user.rest.post(path, { result: wrong }), "result");
    }
    expectFaults(await user.rest.post(path), "result");
  });
});

test("the cookie is HttpOnly and SameSite=Lax, and Secure for this host under https", async () => {
  const { app, user } = gh();
  const read = async (baseUrl: string) => {
    const call = withDeps(app, { baseUrl });
    const { headers } = await call(request("GET", "/integration/authorize", user.token));
    return headers.get("set-cookie");
  };
  const more = "Path=/; Max-Age=600; HttpOnly; SameSite=Lax";
  expect(await read("http://127.0.0.1")).toMatch(new RegExp(`^wbs_connect=[\\w-]{43}; ${more}$`));
  expect(await read("https://boards.example")).toMatch(
    new RegExp(`^__Host-wbs_connect=[\\w-]{43}; ${more}; Secure$`),
  );
  const { headers } = await user.rest.get(`/integration/authorize${withReturn}`);
  expect(headers.get("set-cookie")).toBeNull();
});
