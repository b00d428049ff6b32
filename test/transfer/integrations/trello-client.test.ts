import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { trelloAuthorizeUrl } from "../../../src/transfer/integrations/authorize.ts";
import { listTrelloBoards } from "../../../src/transfer/integrations/trello/boards.ts";
import { failureOf } from "../../support/caught.ts";
import { type FakeTrello, startTrello } from "../../support/trello.ts";

let trello: FakeTrello;
beforeEach(async () => {
  trello = await startTrello();
});
afterEach(() => trello.stop());

const list = (token = trello.token, apiKey = trello.apiKey) =>
  listTrelloBoards({ apiUrl: trello.apiUrl }, { apiKey, token });

const board = (index: number, closed = false) => ({
  id: `5abbe4b7ddc1b351ef96${String(index).padStart(4, "0")}`,
  name: `Board ${index}`,
  closed,
});

describe("the boards of a Trello account", () => {
  test("are all of them by id and name, closed ones after all open ones", async () => {
    trello.boards = [board(1, true), board(2), board(3), board(4, true)];
    expect(await list()).toEqual(
      [2, 3, 1, 4].map((index) => ({ id: board(index).id, name: `Board ${index}` })),
    );
  });

  test("are an empty array for an account without boards", async () => {
    expect(await list()).toEqual([]);
  });

  test("are a thousand when there are a thousand", async () => {
    trello.boards = Array.from({ length: 1000 }, (_, index) => board(index));
    expect(await list()).toHaveLength(1000);
  });

  test("are each there once, and one without a name is called Untitled", async () => {
    trello.boards = [board(1), { ...board(2), name: null }, board(1), { ...board(3), name: "" }];
    expect(await list()).toEqual([
      { id: board(1).id, name: "Board 1" },
      { id: board(2).id, name: "Untitled" },
      { id: board(3).id, name: "Untitled" },
    ]);
  });

  test("have their names unchanged", async () => {
    const name = 'Łódź 🚀 <b>"quoted"</b> \u202Eright to left';
    trello.boards = [{ ...board(1), name }];
    expect((await list())[0]?.name).toBe(name);
  });

  test("are read in one request whose URL contains neither key nor token", async () => {
    await listTrelloBoards(
      { apiUrl: `${trello.apiUrl}/` },
      { apiKey: trello.apiKey, token: trello.token },
    );
    const [request, ...more] = trello.requests;
    expect(more).toEqual([]);
    expect(request?.path).toBe("/1/members/me/boards");
    expect(Object.fromEntries(request?.query ?? [])).toEqual({
      fields: "name,closed",
      filter: "all",
    });
    expect(request?.headers.authorization).toBe(
      `OAuth oauth_consumer_key="${trello.apiKey}", oauth_token="${trello.token}"`,
    );
  });
});

describe("a refusal of Trello's", () => {
  test("of the key is 403 at apiKey and says where to find it", async () => {
    const failure = await failureOf(list(trello.token, "0".repeat(32)));
    expect(failure.failure).toBe("FORBIDDEN");
    expect(failure.issues).toEqual([
      {
        message: expect.stringContaining("https://trello.com/power-ups/admin"),
        path: ["apiKey"],
        code: "trello_key_refused",
      },
    ]);
  });

  test("of the token is 403 at token, says why, and how to make a new one", async () => {
    for (const [token, why] of [
      [`ATTA${"0".repeat(72)}`, "not valid"],
      [trello.expiredToken, "expired"],
      [trello.writeOnlyToken, "permission"],
    ] as const) {
      const failure = await failureOf(list(token));
      expect(failure.failure).toBe("FORBIDDEN");
      expect(failure.issues).toEqual([
        {
          message: expect.stringContaining("GET /integration/authorize?provider=trello"),
          path: ["token"],
          code: "trello_token_refused",
        },
      ]);
      expect(failure.issues[0]?.message).toContain(why);
    }
  });

  test.each([
    [400, "invalid token", "trello_token_refused"],
    [400, "invalid key", "trello_key_refused"],
    [401, "invalid app key", "trello_key_refused"],
    [401, "unauthorized token", "trello_token_refused"],
    [401, "", "trello_token_refused"],
    [401, '{"message":"invalid key","error":"UNAUTHORIZED"}', "trello_key_refused"],
    [403, "unauthorized permission requested", "trello_token_refused"],
  ])("worded %i %s is distinguished", async (status, body, code) => {
    trello.failNext(() => ({ status, body }));
    const failure = await failureOf(list());
    expect(failure.failure).toBe("FORBIDDEN");
    expect(failure.issues[0]?.code).toBe(code);
  });

  test("is sent for credentials of any characters, which cannot end the header", async () => {
    for (const odd of ['"', "\n", "\0", "é", "🚀", "\ud800", "%", ","]) {
      const failure = await failureOf(list(odd.repeat(76 / odd.length), odd.repeat(32)));
      expect(failure.issues[0]?.code).toBe("trello_key_refused");
    }
    const injected = await failureOf(list(`x", oauth_consumer_key="${trello.apiKey}`, "wrong"));
    expect(injected.issues[0]?.code).toBe("trello_key_refused");
  });
});

describe("the address at which a Trello token is made", () => {
  test("asks for reading alone, for a day, with the token in the fragment", () => {
    const url = new URL(
      trelloAuthorizeUrl(
        { url: "https://trello.example/", apiKey: "k".repeat(32) },
        { name: "Workspace Board Service", returnUrl: "https://app.example/imports?from=trello" },
      ),
    );
    expect(url.origin + url.pathname).toBe("https://trello.example/1/authorize");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      expiration: "1day",
      name: "Workspace Board Service",
      scope: "read",
      response_type: "token",
      key: "k".repeat(32),
      return_url: "https://app.example/imports?from=trello",
      callback_method: "fragment",
    });
  });

  test("shows the token on Trello's own page when there is nowhere to return to", () => {
    const url = new URL(
      trelloAuthorizeUrl(
        { url: "https://trello.com", apiKey: "k" },
        { name: "Service", expiration: "1hour" },
      ),
    );
    expect(url.searchParams.get("expiration")).toBe("1hour");
    expect(url.searchParams.has("return_url")).toBe(false);
    expect(url.searchParams.has("callback_method")).toBe(false);
  });
});
