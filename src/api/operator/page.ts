import { Hono } from "hono";
import type { Deps } from "../../kernel/request/deps.ts";
import { builtFile, fixedPage } from "../built-file.ts";
import { countPages } from "../count-pages.ts";
import { pageHeaders } from "../docs/routes.ts";

// The build copies them from `reference/`.
const built = new URL("../../../dist/reference/", import.meta.url);

const scripts = [
  "operator.js",
  "elements.js",
  "operator-api.js",
  "operator-details.js",
  "operator-lists.js",
  "operator-view.js",
];
const files = [
  ...scripts.map((name) => [name, "text/javascript; charset=utf-8"] as const),
  ["operator.css", "text/css; charset=utf-8"],
] as const;

const links = ["users", "workspaces", "work", "health", "log"].map(
  (name) => `<a href="#${name}">${name.charAt(0).toUpperCase()}${name.slice(1)}</a>`,
);

/** The operator's page. Its URLs are relative, so that it works behind a path prefix. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Operator</title>
    <link rel="stylesheet" href="operator/operator.css" />
    <link rel="icon" href="data:," />
  </head>
  <body>
    <header>
      <strong>Workspace Board Service</strong>
      <nav aria-label="Sections" hidden>
        ${links.join("\n        ")}
        <button type="button" id="sign-out">Sign out</button>
      </nav>
    </header>
    <main><noscript>This page needs JavaScript. The command line does not: wbs admin.</noscript></main>
    <dialog aria-labelledby="details-title"></dialog>
    <script type="module" src="operator/operator.js"></script>
  </body>
</html>
`;

/** The operator's page and its files. It has no rights of its own: it calls the REST API. */
export function operatorPageRoutes(deps: Pick<Deps, "limits" | "config">): Hono {
  const app = new Hono();
  app.use(countPages(deps));
  app.get("/", fixedPage(page, pageHeaders));
  for (const [name, type] of files) {
    app.get(`/${name}`, builtFile(new URL(name, built), { ...pageHeaders, "Content-Type": type }));
  }
  // A trailing slash would break the page's relative URLs.
  app.get("/*", (c, next) =>
    c.req.path.endsWith("/operator/") ? Promise.resolve(c.redirect("../operator", 308)) : next(),
  );
  return app;
}
