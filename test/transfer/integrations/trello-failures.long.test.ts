import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listTrelloBoards } from "../../../src/transfer/integrations/trello/boards.ts";
import { expectNoSecret, failureOf } from "../../support/caught.ts";
import {
  echo,
  type Fault,
  gzipBomb,
  stall,
  disconnect,
  htmlPage,
  json,
  redirectTo,
  breakOff,
  startStandIn,
  text,
} from "../../support/stand-in.ts";
import { type FakeTrello, limitExceeded, plainLimit, startTrello } from "../../support/trello.ts";

let trello: FakeTrello;
beforeEach(async () => {
  trello = await startTrello();
});
afterEach(() => trello.stop());

const limits = { requestMs: 400, bytes: 256 * 1024 };
const list = (token = trello.token, apiKey = trello.apiKey) =>
  listTrelloBoards({ apiUrl: trello.apiUrl, limits }, { apiKey, token });

const limitsOfTrello: [string, Fault, string][] = [
  ["of the token", limitExceeded("TOKEN"), "10"],
  ["of the key", limitExceeded("KEY"), "10"],
  ["with a delay of its own", limitExceeded("TOKEN", "3"), "3"],
  ["in plain text", plainLimit, "10"],
];

describe("a limit of Trello's", () => {
  test.each(limitsOfTrello)("%s is 429 with its window", async (_, fault, seconds) => {
    trello.failAlways(fault);
    const failure = await failureOf(list());
    expect(failure.failure).toBe("TOO_MANY_REQUESTS");
    expect(failure.headers["Retry-After"]).toBe(seconds);
    expect(trello.requests).toHaveLength(1);
  });

  test("with a date is 429 with the seconds until then", async () => {
    const began = Date.now();
    const soon = new Date(began + 40_000).toUTCString();
    trello.failNext(limitExceeded("TOKEN", soon));
    const seconds = Number((await failureOf(list())).headers["Retry-After"]);
    // The date has whole seconds.
    expect(seconds).toBeGreaterThan(38 - (Date.now() - began) / 1_000);
    expect(seconds).toBeLessThanOrEqual(40);
  });
});

const broken: [string, Fault][] = [
  ["a 503 page", htmlPage(503)],
  ["a 401 page of something in between", htmlPage(401)],
  ["a 403 page of something in between", htmlPage(403)],
  ["a page with status 200", htmlPage(200)],
  ["a 404", () => ({ status: 404, body: "The requested resource was not found." })],
  ["an object", json({ boards: [] })],
  ["a board without an id", json([{ name: "Board" }])],
  ["JSON that is cut off", text('[{"id":"5abb')],
  ["nothing, for ever", stall],
  ["the first part of an answer", breakOff],
  ["a closed connection", disconnect],
  ["a few bytes that grow to megabytes", gzipBomb(4 * 1024 * 1024)],
];

describe("a failure of Trello's", () => {
  test.each(broken)("%s is 502, with one sentence about Trello", async (_, fault) => {
    trello.failAlways(fault);
    expect((await failureOf(list())).body).toEqual({
      code: "BAD_GATEWAY",
      message: "Bad gateway",
      issues: [
        {
          message: expect.stringMatching(/^Trello.+\.$/),
          code: expect.stringMatching(/^provider_(?:failed|unreachable)$/),
        },
      ],
    });
    expect(trello.requests).toHaveLength(1);
  });

  test("a redirect is 502, and the credentials do not follow it", async () => {
    const elsewhere = await startStandIn(() => ({ status: 200, body: [] }));
    trello.failAlways(redirectTo(elsewhere.url));
    expect((await failureOf(list())).failure).toBe("BAD_GATEWAY");
    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.stop();
  });

  test("shows neither key nor token in answers and logs", async () => {
    const repeated = [200, 400, 401, 403, 404, 429, 500].map(echo);
    for (const fault of [...broken.map(([, each]) => each), ...repeated, limitExceeded("KEY")]) {
      trello.failNext(fault);
      expectNoSecret(await failureOf(list()), [trello.apiKey, trello.token]);
    }
  });
});
