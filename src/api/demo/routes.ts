import { createHash } from "node:crypto";
import { Hono } from "hono";
import type { Deps } from "../../kernel/request/deps.ts";
import { builtFile, fixedPage } from "../built-file.ts";
import { countPages } from "../count-pages.ts";
import { pageHeaders } from "../docs/routes.ts";

// Written by the build.
const built = new URL("../../../dist/demo/", import.meta.url);

const files = [
  ["app.js", "text/javascript; charset=utf-8"],
  ["service-worker.js", "text/javascript; charset=utf-8"],
  ["style.css", "text/css; charset=utf-8"],
] as const;

/** The two rules that React Aria adds to a page: for touches, and for dialogs on iOS. */
const rulesOfReactAria = [
  `@layer {
  [data-react-aria-pressable] {
    touch-action: pan-x pan-y pinch-zoom;
  }
}`,
  `@layer {
  * {
    overscroll-behavior: contain;
  }
}`,
];
const hashes = rulesOfReactAria.map(
  (rule) => `'sha256-${createHash("sha256").update(rule).digest("base64")}'`,
);
const headers = {
  ...pageHeaders,
  "Content-Security-Policy": pageHeaders["Content-Security-Policy"].replace(
    "style-src 'self'",
    `style-src 'self' ${hashes.join(" ")}`,
  ),
  // The page is the folder above its service worker.
  "Service-Worker-Allowed": "../demo",
};

/** The page of the demo. Its URLs are relative, so that it works behind a path prefix. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Boards</title>
    <link rel="stylesheet" href="demo/style.css" />
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="app"><noscript>This page needs JavaScript.</noscript></div>
    <script type="module" src="demo/app.js"></script>
  </body>
</html>
`;

/** The demo: a page that uses the service through its TypeScript client. */
export function demoRoutes(deps: Pick<Deps, "limits" | "config">): Hono {
  const app = new Hono();
  app.use(countPages(deps));
  app.get("/", fixedPage(page, headers));
  for (const [name, type] of files) {
    app.get(`/${name}`, builtFile(new URL(name, built), { ...headers, "Content-Type": type }));
  }
  // A trailing slash would break the page's relative URLs.
  app.get("/*", (c, next) =>
    c.req.path.endsWith("/demo/") ? Promise.resolve(c.redirect("../demo", 308)) : next(),
  );
  return app;
}
