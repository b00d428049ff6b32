import { afterAll, beforeAll, beforeEach } from "vitest";
import { startApp, type App } from "../support/app.ts";
import { startGitHub, type FakeGitHub } from "../support/github.ts";
import { makeUser, type User } from "../support/make.ts";

/** An allowed returnUrl. */
export const home = "https://board.example/done";

/** The route that lists GitHub projects. */
export const projectsPath = "/integrations/github/projects";

/** The service, a fake GitHub, and the steps of a browser between them. */
export type Connecting = {
  app: App;
  github: FakeGitHub;
  /** The user of the current test. */
  user: User;
  /** The cookie of the user's browser, from the last authorization. */
  cookie: string;
  /** Requests the authorization URL. */
  start(query?: string): Promise<URL>;
  /** Opens that URL and returns the callback URL. */
  visit(url: URL): Promise<URL>;
  /** Opens the callback URL in the browser that has a cookie: by default the current one. */
  comeBack(url: URL, cookie?: string): Promise<Response>;
  /** All steps. */
  connect(query?: string): Promise<Response>;
};

/** Starts the service and a fake GitHub for a file. A 500 fails the file. */
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
      const reply = await get().user.rest.get(`/integration/authorize${query}`);
      const { status, body, headers } = reply;
      if (status !== 200) throw new Error(JSON.stringify(body));
      get().cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
      return new URL(body.url);
    };
    const visit = async (url: URL) => {
      const { headers } = await fetch(url, { redirect: "manual" });
      return new URL(headers.get("location") ?? "");
    };
    const comeBack = ({ pathname, search }: URL, cookie = get().cookie) =>
      app.fetch(new Request(`http://service${pathname}${search}`, { headers: { cookie } }));
    const connect = async (query = "") => comeBack(await visit(await start(query)));
    const user = await makeUser(app);
    now = { app, github, user, cookie: "", start, visit, comeBack, connect };
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
