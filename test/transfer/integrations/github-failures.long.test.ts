import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  exchangeGitHubCode,
  refreshGitHubGrant,
} from "../../../src/transfer/integrations/github/grant.ts";
import { readGitHubAccount } from "../../../src/transfer/integrations/github/oauth.ts";
import { listGitHubProjects } from "../../../src/transfer/integrations/github/projects.ts";
import type { ThirdPartyLimits } from "../../../src/platform/http/third-party.ts";
import { expectNoSecret, failureOf } from "../../support/caught.ts";
import { type FakeGitHub, startGitHub } from "../../support/github.ts";
import { circularPages, endlessPages, graphqlTimeout } from "../../support/github-faults.ts";
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

let github: FakeGitHub;
beforeEach(async () => {
  github = await startGitHub();
});
afterEach(() => github.stop());

const redirectUri = "http://127.0.0.1:3000/api/v1/integration/callback/github";
const limits = { bytes: 256 * 1024 };
const impatient = { ...limits, requestMs: 150 };
const app = (given: Partial<ThirdPartyLimits> = limits) => ({
  url: github.url,
  apiUrl: github.apiUrl,
  clientId: github.clientId,
  clientSecret: github.clientSecret,
  limits: given,
});

const broken: [string, Fault][] = [
  ["a 502 page", htmlPage(502)],
  ["a 403 page of something in between", htmlPage(403)],
  ["a page with status 200", htmlPage(200)],
  ["JSON that is cut off", text('{"data": {"viewer"')],
  ["JSON of another shape", json({ data: { viewer: { projectsV2: { nodes: "none" } } } })],
  ["neither data nor errors", json({ message: "hello" })],
  ["an array", json([])],
  ["an error of another kind", graphqlTimeout],
  ["part of the data and an error of another kind", json({ data: {}, errors: [{ message: "?" }] })],
  ["nothing, for ever", stall],
  ["the first part of an answer", breakOff],
  ["a closed connection", disconnect],
  ["a few bytes that grow to megabytes", gzipBomb(4 * 1024 * 1024)],
  ["a page that leads to itself", circularPages],
  ["pages without end", endlessPages()],
];

describe("a failure of GitHub's", () => {
  test.each(broken)("%s is 502, with one sentence about GitHub", async (_, fault) => {
    github.failAlways(fault);
    const failure = await failureOf(listGitHubProjects(app(impatient), github.grant()));
    expect(failure.body).toEqual({
      code: "BAD_GATEWAY",
      message: "Bad gateway",
      issues: [
        {
          message: expect.stringMatching(/^GitHub.+\.$/),
          code: expect.stringMatching(/^provider_(?:failed|unreachable)$/),
        },
      ],
    });
  });

  test("an address without a server is 502", async () => {
    const gone = await startStandIn(() => ({ status: 200, body: "" }));
    await gone.stop();
    const failure = await failureOf(listGitHubProjects({ apiUrl: gone.url }, github.grant()));
    expect(failure.issues[0]?.message).toContain("ECONNREFUSED");
  });

  test("pages that arrive one by one stop at the deadline of the whole call", async () => {
    const pages = endlessPages();
    github.failAlways((request, response) => {
      const reply = pages(request, response);
      setTimeout(() => response.end(JSON.stringify(reply?.body)), 60);
    });
    const failure = await failureOf(listGitHubProjects(app({ totalMs: 250 }), "gho_x"));
    expect(failure.issues[0]?.message).toBe("GitHub did not respond in time.");
  });

  test("gets at most a hundred requests", async () => {
    github.failAlways(endlessPages());
    await failureOf(listGitHubProjects(app(), github.grant()));
    expect(github.requests.length).toBe(100);
  });

  test("a redirect is 502, and the token does not follow it", async () => {
    const elsewhere = await startStandIn(() => ({ status: 200, body: {} }));
    github.failAlways(redirectTo(elsewhere.url));
    const failure = await failureOf(listGitHubProjects(app(), github.grant()));
    expect(failure.failure).toBe("BAD_GATEWAY");
    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.stop();
  });

  test("a page whose cursor leads to itself is read only once more", async () => {
    github.failAlways(circularPages);
    await failureOf(listGitHubProjects(app(), github.grant()));
    expect(github.requests).toHaveLength(2);
  });

  test("an answer is read up to the limit after decompression", async () => {
    github.failAlways(gzipBomb(4 * 1024 * 1024));
    const failure = await failureOf(listGitHubProjects(app(), github.grant()));
    expect(failure.issues[0]?.message).toBe("GitHub sent more than 262144 bytes.");
  });

  test("gets no repeated request", async () => {
    github.failAlways(htmlPage(503));
    await failureOf(listGitHubProjects(app(), github.grant()));
    expect(github.requests).toHaveLength(1);
  });
});

describe("secrets", () => {
  const repeated = [200, 400, 401, 403, 404, 429, 500].map((status): [string, Fault] => [
    `a ${status} that repeats the credential`,
    echo(status),
  ]);

  test.each([...broken, ...repeated])("are in no failure after %s", async (_, fault) => {
    github.failAlways(fault);
    const token = github.grant();
    const secrets = [token, github.clientSecret, "the-verifier", "the-code", "ghr_secret"];
    const callback = { code: "the-code", verifier: "the-verifier", redirectUri };
    for (const call of [
      () => listGitHubProjects(app(impatient), token),
      () => readGitHubAccount(app(impatient), token),
      () => exchangeGitHubCode(app(impatient), callback),
      () => refreshGitHubGrant(app(impatient), "ghr_secret"),
    ]) {
      expectNoSecret(await failureOf(call()), secrets);
    }
  });

  test("are in no failure when the token is no valid header value", async () => {
    const token = "gho_broken\ntoken";
    const failure = await failureOf(listGitHubProjects(app(impatient), token));
    expect(failure.failure).toBe("BAD_GATEWAY");
    expectNoSecret(failure, ["gho_broken"]);
  });
});
