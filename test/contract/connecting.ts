import { afterAll, beforeAll, beforeEach } from "vitest";
import { startApp, type App } from "../support/app.ts";
import { startGitHub, type FakeGitHub } from "../support/github.ts";
import { makeUser, type User } from "../support/make.ts";

/** An address that users may be sent back to. */
export const home = "https://board.example/done";

/** Where GitHub's projects are listed. */
export const projectsPath = "/integrations/github/projects";

/** The service beside a GitHub of its own, and what a browser does between the two. */
export type Connecting = {
  app: App;
  github: FakeGitHub;
  /** A new user for each test. */
  user: User;
  /** Asks for the address at which to connect. */
  start(query?: string): Promise<URL>;
  /** Opens that address; answers the one that GitHub sends the browser back to. */
  visit(url: URL): Promise<URL>;
  /** Opens the address that GitHub sent the browser back to. */
  comeBack(url: URL): Promise<Response>;
  /** All of it. */
  connect(query?: string): Promise<Response>;
};

/** The service and a GitHub for all tests of a file; a 500 in any of them fails the file. */
export function useGitHub(): () => Connecting {
  let now: Connecting | undefined;
  const get = () => {
    if (now === undefined) throw new Error("GitHub is there only inside tests.");
    return now;
  };
  beforeAll(async () => {
    const github = await startGitHub();
    const app = await startApp({
      env: {
        GITHUB_URL: github.url,
        GITHUB_API_URL: github.apiUrl,
        GITHUB_CLIENT_ID: github.clientId,
        GITHUB_CLIENT_SECRET: github.clientSecret,
        RETURN_URLS: `${home},https://other.example`,
        TRELLO_API_KEY: "0123456789abcdef0123456789abcdef",
      },
    });
    const start = async (query = "") => {
      const { status, body } = await get().user.rest.get(`/integration/authorize${query}`);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return new URL(body.url);
    };
    const visit = async (url: URL) => {
      const { headers } = await fetch(url, { redirect: "manual" });
      return new URL(headers.get("location") ?? "");
    };
    const comeBack = ({ pathname, search }: URL) =>
      app.fetch(new Request(`http://service${pathname}${search}`));
    const connect = async (query = "") => comeBack(await visit(await start(query)));
    now = { app, github, user: await makeUser(app), start, visit, comeBack, connect };
  });
  beforeEach(async () => {
    const { app, github } = get();
    get().user = await makeUser(app);
    github.decision = "allow";
    github.expiring = false;
    github.failAlways(undefined);
    github.account.projects = [{ id: "PVT_1", title: "Roadmap" }];
  });
  afterAll(async () => {
    const { app, github } = get();
    await app.close();
    await github.stop();
    if (app.errors.length > 0) throw new Error(app.errors.join("\n"));
  });
  return get;
}
