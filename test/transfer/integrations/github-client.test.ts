import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { graphqlUrl } from "../../../src/transfer/integrations/github/graphql.ts";
import { readGitHubAccount } from "../../../src/transfer/integrations/github/oauth.ts";
import { listGitHubProjects } from "../../../src/transfer/integrations/github/projects.ts";
import { failureOf } from "../../support/caught.ts";
import { type FakeGitHub, startGitHub } from "../../support/github.ts";
import { suspended } from "../../support/github-faults.ts";
import { json } from "../../support/stand-in.ts";

let github: FakeGitHub;
beforeEach(async () => {
  github = await startGitHub();
});
afterEach(() => github.stop());

const app = () => ({
  url: github.url,
  apiUrl: github.apiUrl,
  clientId: github.clientId,
  clientSecret: github.clientSecret,
});

const project = (id: string, closed = false) => ({ id: `PVT_${id}`, title: `Title ${id}`, closed });
const many = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => project(`${name}${index}`));
const ids = (projects: { id: string }[]) => projects.map(({ id }) => id).sort();

describe("the projects of an account", () => {
  test("are its own and those of its organisations, on every page, each once", async () => {
    const shared = project("shared");
    github.account.projects = [...many(250, "own"), shared];
    github.account.organizations = [
      { login: "acme", projects: [...many(205, "acme"), shared] },
      { login: "empty", projects: [] },
      ...Array.from({ length: 43 }, (_, index) => ({
        login: `org${index}`,
        projects: many(1, `org${index}-`),
      })),
    ];
    const found = await listGitHubProjects(app(), github.grant());
    const all = [github.account, ...github.account.organizations].flatMap((each) => each.projects);
    expect(ids(found)).toEqual([...new Set(ids(all))]);
    expect(found[0]).toEqual({ id: "PVT_own0", name: "Title own0" });
  });

  test("are in GitHub's order, closed ones after all open ones", async () => {
    github.account.projects = [project("a", true), project("b")];
    github.account.organizations = [
      { login: "acme", projects: [project("c", true), project("d")] },
    ];
    const found = await listGitHubProjects(app(), github.grant());
    expect(found.map(({ id }) => id)).toEqual(["PVT_b", "PVT_d", "PVT_a", "PVT_c"]);
  });

  test("are an empty array for an account without projects", async () => {
    expect(await listGitHubProjects(app(), github.grant())).toEqual([]);
  });

  test("omit an organisation that denies the token, and list the others", async () => {
    github.account.projects = [project("own")];
    github.account.organizations = [
      { login: "saml", projects: [project("hidden")], denied: "saml" },
      { login: "open", projects: [project("open")] },
      { login: "strict", projects: [project("hidden too")], denied: "restricted" },
    ];
    const found = await listGitHubProjects(app(), github.grant());
    expect(ids(found)).toEqual(["PVT_open", "PVT_own"]);
  });

  test("are those of the organisations alone when a GitHub App may not see the user's own", async () => {
    github.account.projects = [project("own")];
    github.account.denied = true;
    github.account.organizations = [{ login: "acme", projects: [project("acme")] }];
    expect(ids(await listGitHubProjects(app(), github.grant()))).toEqual(["PVT_acme"]);
  });

  test("are asked for one request at a time, with the token in the header only", async () => {
    github.account.projects = many(150, "own");
    const token = github.grant();
    await listGitHubProjects(app(), token);
    expect(github.requests).toHaveLength(3);
    for (const { headers, query, path, body } of github.requests) {
      expect(headers.authorization).toBe(`Bearer ${token}`);
      expect(headers["user-agent"]).toBe("workspace-board-service");
      expect(`${path}${query.toString()}${body}`).not.toContain(token);
    }
  });

  test("are found on an Enterprise Server, whose GraphQL is beside its REST", async () => {
    github.account.projects = [project("own")];
    const api = { apiUrl: github.enterpriseApiUrl };
    const token = github.grant();
    expect(await listGitHubProjects(api, token)).toHaveLength(1);
    expect((await readGitHubAccount(api, token)).login).toBe("octocat");
    expect(github.requests.map(({ path }) => path)).toContain("/api/graphql");
    expect(graphqlUrl("https://api.github.com/")).toBe("https://api.github.com/graphql");
    expect(graphqlUrl("https://ghe.example/api/v3/")).toBe("https://ghe.example/api/graphql");
    expect(graphqlUrl("https://api.acme.ghe.com")).toBe("https://api.acme.ghe.com/graphql");
  });
});

describe("a refusal of GitHub's", () => {
  const refusal = async (token: string, code: string) => {
    const failure = await failureOf(listGitHubProjects(app(), token));
    expect(failure.failure).toBe("FORBIDDEN");
    expect(failure.issues).toHaveLength(1);
    expect(failure.issues[0]?.code).toBe(code);
    expect(failure.issues[0]?.message).toContain("GitHub");
    expect(failure.issues[0]?.message).toContain("GET /integration/authorize");
  };

  test("of a revoked token is 403 and says how to mend it, never 401", async () => {
    const token = github.grant();
    github.revoke(token);
    await refusal(token, "github_refused");
    const who = await failureOf(readGitHubAccount(app(), token));
    expect(who.issues[0]?.code).toBe("github_refused");
  });

  test("of a token revoked between two pages is 403, not half a list", async () => {
    github.account.projects = many(150, "own");
    const page = { nodes: [], pageInfo: { hasNextPage: true, endCursor: "Y3Vyc29yOnYyOjEwMA==" } };
    github.failNext(json({ data: { viewer: { projectsV2: page } } }));
    await refusal("gho_gone", "github_refused");
  });

  test("of a token without the scopes is 403 and names them", async () => {
    github.account.organizations = [{ login: "acme", projects: [] }];
    await refusal(github.grant(["repo"]), "github_scopes");
    await refusal(github.grant(["read:project"]), "github_scopes");
  });

  test("of everything there is, or of the account, is 403", async () => {
    const token = github.grant();
    github.failAlways(suspended);
    await refusal(token, "github_forbidden");
    github.failAlways(
      json({ data: null, errors: [{ type: "FORBIDDEN", message: "Resource not accessible" }] }),
    );
    await refusal(token, "github_forbidden");
  });
});
