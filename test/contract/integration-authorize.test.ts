import { describe, expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { makeUser } from "../support/make.ts";
import { home, useGitHub } from "./connecting.ts";
import { expectFailure, expectFaults } from "./failure.ts";

const gh = useGitHub();

describe("GET /integration/authorize", () => {
  test("returns exactly GitHub's authorization URL, with state, scopes and PKCE", async () => {
    const { github, start } = gh();
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
    expect(await start("?provider=github")).toMatchObject({ origin: github.url });
  });

  test("returns Trello's URL for provider=trello", async () => {
    const { start } = gh();
    const url = await start("?provider=trello");
    expect(url.hostname).toBe("trello.com");
    expect(url.searchParams.get("scope")).toBe("read");
  });

  test.each(["gitlab", "", "GitHub", "github&provider=github"])(
    "rejects provider=%s",
    async (provider) => {
      const { user } = gh();
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
  ])("accepts %s as returnUrl", async (returnUrl) => {
    const url = await gh().start(`?returnUrl=${encodeURIComponent(returnUrl)}`);
    expect(url.origin).toBe(gh().github.url);
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
  ])("rejects %s as returnUrl", async (returnUrl) => {
    const path = `/integration/authorize?returnUrl=${encodeURIComponent(returnUrl)}`;
    expectFaults(await gh().user.rest.get(path), "returnUrl");
  });

  test("is 404 without GITHUB_CLIENT_ID", async () => {
    const bare = await startApp();
    const { rest } = await makeUser(bare);
    for (const query of ["", "?provider=trello"]) {
      expectFailure(await rest.get(`/integration/authorize${query}`), "NOT_FOUND", [{}]);
    }
    await bare.close();
  });
});
