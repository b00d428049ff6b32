import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createApp } from "../../src/app/http-application.ts";
import { startApp, type App } from "../support/app.ts";
import { makeUser, type User } from "../support/make.ts";
import { disconnect, htmlPage, json } from "../support/stand-in.ts";
import { limitExceeded, plainLimit, startTrello, type FakeTrello } from "../support/trello.ts";
import { expectFailure, expectFaults } from "./failure.ts";

let trello: FakeTrello;
let app: App;
let user: User;
beforeAll(async () => {
  trello = await startTrello();
  app = await startApp({ env: { TRELLO_API_URL: trello.apiUrl } });
  user = await makeUser(app);
});
afterAll(async () => {
  await app.close();
  await trello.stop();
  if (app.errors.length > 0) throw new Error(app.errors.join("\n"));
});
beforeEach(() => {
  trello.boards = [];
  trello.failAlways(undefined);
});

const path = "/imports/trello/boards";
const query = (fields: Record<string, string> = {}) =>
  `${path}?${new URLSearchParams({ apiKey: trello.apiKey, token: trello.token, ...fields }).toString()}`;

describe("GET /imports/trello/boards", () => {
  test("lists exactly id and name of every board, open ones first", async () => {
    expect((await user.rest.get(query())).body).toEqual([]);
    trello.boards = [
      { id: "5f1e5f1e5f1e5f1e5f1e5f1a", name: "Old", closed: true },
      { id: "5f1e5f1e5f1e5f1e5f1e5f1b", name: "New" },
      { id: "5f1e5f1e5f1e5f1e5f1e5f1c", name: null },
    ];
    const { status, body } = await user.rest.get(query());
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        { id: "5f1e5f1e5f1e5f1e5f1e5f1b", name: "New" },
        { id: "5f1e5f1e5f1e5f1e5f1e5f1c", name: "Untitled" },
        { id: "5f1e5f1e5f1e5f1e5f1e5f1a", name: "Old" },
      ],
    });
  });

  test.each([
    ["a key of 31 characters", { apiKey: "k".repeat(31) }, "apiKey"],
    ["a key of 33 characters", { apiKey: "k".repeat(33) }, "apiKey"],
    ["a key of 16 characters of two halves each", { apiKey: "🙂".repeat(16) }, "apiKey"],
    ["an empty key", { apiKey: "" }, "apiKey"],
    ["a token of 75 characters", { token: "t".repeat(75) }, "token"],
    ["a token of 77 characters", { token: "t".repeat(77) }, "token"],
    ["a token of 38 characters of two halves each", { token: "🙂".repeat(38) }, "token"],
    ["a NUL", { token: `${"t".repeat(75)}\u0000` }, "token"],
  ])("rejects %s without a request to Trello", async (_, fields, field) => {
    const before = trello.requests.length;
    expectFaults(await user.rest.get(query(fields)), field);
    expect(trello.requests).toHaveLength(before);
  });

  test("ignores an unknown parameter", async () => {
    expect((await user.rest.get(query({ limit: "1" }))).body).toEqual(
      (await user.rest.get(query())).body,
    );
    expect((await user.rest.get(query({ limit: "1" }))).status).toBe(200);
    expect(trello.requests.at(-1)?.query.has("limit")).toBe(false);
  });

  test("rejects a missing or repeated key or token", async () => {
    expectFaults(await user.rest.get(path), "apiKey", "token");
    expectFaults(await user.rest.get(`${path}?apiKey=${trello.apiKey}`), "token");
    expectFaults(await user.rest.get(`${query()}&apiKey=${trello.apiKey}`), "apiKey");
  });

  test("accepts any 32 and 76 characters, which Trello then rejects", async () => {
    const odd = { apiKey: "🙂".repeat(32), token: `"\r\n,🙂`.padEnd(77, "t") };
    expectFailure(await user.rest.get(query({ apiKey: odd.apiKey })), "FORBIDDEN", [{}]);
    expectFailure(await user.rest.get(query({ token: odd.token })), "FORBIDDEN", [{}]);
  });

  test("is 403 when Trello rejects the key or token, with a hint", async () => {
    const reply = await user.rest.get(query({ apiKey: "0".repeat(32) }));
    expectFailure(reply, "FORBIDDEN", [
      { path: ["apiKey"], message: expect.stringMatching(/key/) },
    ]);
    for (const token of ["0".repeat(76), trello.expiredToken, trello.writeOnlyToken]) {
      expectFailure(await user.rest.get(query({ token })), "FORBIDDEN", [
        { path: ["token"], message: expect.stringContaining("/integration/authorize") },
      ]);
    }
  });

  test.each([
    ["with a delay", limitExceeded("TOKEN", "7"), "7"],
    ["with its window", limitExceeded("TOKEN"), "10"],
    ["without a word", plainLimit, "10"],
  ])("is 429 at Trello's limit, %s", async (_, fault, delay) => {
    trello.failAlways(fault);
    const reply = await user.rest.get(query());
    expectFailure(reply, "TOO_MANY_REQUESTS", [{}]);
    expect(reply.headers.get("retry-after")).toBe(delay);
  });

  test.each([
    ["is down", disconnect],
    ["answers 500", htmlPage(500)],
    ["answers a page", htmlPage(200)],
    ["answers something else", json({ boards: [] })],
  ])("is 502 when Trello %s", async (_, fault) => {
    trello.failAlways(fault);
    expectFailure(await user.rest.get(query()), "BAD_GATEWAY", [{}]);
  });

  test("never puts credentials in a URL or in storage", async () => {
    const lines: string[] = [];
    const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
    const loud = createApp({ ...app.deps, log });
    const headers = { Authorization: `Bearer ${user.token}` };
    await loud.request(`/api/v1${query()}`, { headers });
    await loud.request(`/api/v1${query({ token: trello.expiredToken })}`, { headers });
    await loud.request(`/api/v1${query({ nonsense: "1" })}`, { headers });
    const input = encodeURIComponent(
      JSON.stringify({ apiKey: trello.apiKey, token: trello.token }),
    );
    await loud.request(`/trpc/import.trelloBoards?input=${input}`, { headers });
    const seen = trello.requests.map(({ query: sent }) => sent.toString()).join();
    expect(lines).toHaveLength(4);
    for (const secret of [trello.apiKey, trello.token, trello.expiredToken, user.token]) {
      expect(seen + lines.join("\n")).not.toContain(secret);
    }
  });
});
