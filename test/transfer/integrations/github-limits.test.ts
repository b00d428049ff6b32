import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readGitHubAccount } from "../../../src/transfer/integrations/github/oauth.ts";
import { listGitHubProjects } from "../../../src/transfer/integrations/github/projects.ts";
import { failureOf } from "../../support/caught.ts";
import { type FakeGitHub, startGitHub } from "../../support/github.ts";
import { rateLimited, restRateLimited, secondaryLimit } from "../../support/github-faults.ts";
import { type Fault } from "../../support/stand-in.ts";

let github: FakeGitHub;
beforeEach(async () => {
  github = await startGitHub();
});
afterEach(() => github.stop());

const overRest: [string, Fault, number, number][] = [
  ["the hourly one over REST", restRateLimited(90), 85, 95],
  ["a secondary one with a delay", secondaryLimit(403, "37"), 37, 37],
  ["a secondary one as 429", secondaryLimit(429, "5"), 5, 5],
  ["a secondary one without a delay", secondaryLimit(403), 60, 60],
  ["one with an unreadable delay", secondaryLimit(403, "soon"), 60, 60],
  ["one with an absurd delay", secondaryLimit(403, "99999999999"), 86_400, 86_400],
];
const overGraphql: [string, Fault, number, number][] = [
  ["the hourly one over GraphQL", rateLimited(1500), 1495, 1505],
  ["one that is already over", rateLimited(-30), 1, 1],
  ["a secondary one inside a 200", secondaryLimit(200), 60, 60],
];

describe("a limit of GitHub's", () => {
  const waits = async (call: Promise<unknown>, least: number, most: number) => {
    const began = Date.now();
    const failure = await failureOf(call);
    expect(failure.failure).toBe("TOO_MANY_REQUESTS");
    const seconds = Number(failure.headers["Retry-After"]);
    expect(seconds).toBeGreaterThanOrEqual(least - Math.floor((Date.now() - began) / 1_000));
    expect(seconds).toBeLessThanOrEqual(most);
    expect(github.requests).toHaveLength(1);
  };

  test.each([...overRest, ...overGraphql])(
    "%s is 429 with its reset while projects are listed",
    async (_, fault, least, most) => {
      github.failAlways(fault);
      await waits(listGitHubProjects(github, github.grant()), least, most);
    },
  );

  test.each(overRest)(
    "%s is 429 with its reset while the account is looked up",
    async (_, fault, least, most) => {
      github.failAlways(fault);
      await waits(readGitHubAccount(github, github.grant()), least, most);
    },
  );

  test("reset by GitHub's clock, not by that of the service", async () => {
    const theirs = new Date("2031-01-01T00:00:00Z");
    const headers = {
      date: theirs.toUTCString(),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(theirs.getTime() / 1000 + 120),
    };
    github.failNext(() => ({ status: 403, headers, body: {} }));
    await waits(listGitHubProjects(github, github.grant()), 120, 120);
  });
});
