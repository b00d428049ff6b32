import { Hono } from "hono";
import type { Deps } from "../../kernel/request/deps.ts";
import { builtFile, fixedPage } from "../built-file.ts";
import { countPages } from "../count-pages.ts";
import { pageHeaders } from "../docs/routes.ts";

// The build copies them from `reference/`.
const built = new URL("../../../dist/reference/", import.meta.url);

const files = [
  ["oauth.js", "text/javascript; charset=utf-8"],
  ["oauth-api.js", "text/javascript; charset=utf-8"],
  ["elements.js", "text/javascript; charset=utf-8"],
  ["oauth.css", "text/css; charset=utf-8"],
] as const;

/** The page that asks a person. Its URLs are relative, so that it works behind a path prefix. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Connect an app</title>
    <link rel="stylesheet" href="oauth.css" />
    <link rel="icon" href="data:," />
  </head>
  <body>
    <main><noscript>This page needs JavaScript.</noscript></main>
    <script type="module" src="oauth.js"></script>
  </body>
</html>
`;

/** An address with the query of a request added. */
const withQuery = (address: string, query: string) =>
  query === "" ? address : `${address}${address.includes("?") ? "&" : "?"}${query}`;

/** The pages, with what a page of a frontend gets in front of the query. */
const pages = [
  ["/authorize", ""],
  ["/device", "flow=device&"],
] as const;

/**
 * Where apps send the browser, and where people enter the codes of programs: our page, or that of
 * `OAUTH_PAGE` with the same query.
 *
 * It reads nothing and sets no cookie: the page signs in and calls the REST API.
 */
export function oauthPageRoutes(deps: Pick<Deps, "limits" | "config">): Hono {
  const app = new Hono();
  const { OAUTH_PAGE } = deps.config;
  for (const [path, flow] of pages) {
    app.use(path, countPages(deps));
    if (OAUTH_PAGE === undefined) {
      app.get(path, fixedPage(page, pageHeaders));
      continue;
    }
    app.get(path, (c) => {
      const query = flow + new URL(c.req.url).search.slice(1);
      return c.redirect(withQuery(OAUTH_PAGE, query.replace(/&$/, "")));
    });
  }
  for (const [name, type] of files) {
    const headers = { ...pageHeaders, "Content-Type": type };
    app.get(`/${name}`, countPages(deps), builtFile(new URL(name, built), headers));
  }
  return app;
}
