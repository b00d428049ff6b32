import { Hono } from "hono";
import type { Deps } from "../../kernel/request/deps.ts";
import { builtFile, fixedPage, sendShared, sharedResponse } from "../built-file.ts";
import { countPages } from "../count-pages.ts";
import { readFile } from "node:fs/promises";
import type { AnyRouter } from "@trpc/server";
import { loadOnce } from "../../platform/load-once.ts";

/** The headers of pages of this service: they load and call only this service. */
export const pageHeaders = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** The scripts of the page. The first one loads the others. */
const scripts = [
  "main.js",
  "elements.js",
  "operation.js",
  "samples.js",
  "schemas.js",
  "search.js",
  "own-ids.js",
  "try.js",
];

const preloads = scripts.map((name) => `<link rel="modulepreload" href="docs/${name}" />`);

/** The reference page. Its URLs are relative, so that it works behind a path prefix. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Workspace Board Service: guides and reference</title>
    <link rel="stylesheet" href="docs/page.css" />
    ${preloads.join("\n    ")}
    <link rel="icon" href="data:," />
  </head>
  <body>
    <header>
      <button type="button" id="menu" aria-expanded="false" aria-controls="sidebar">Menu</button>
      <strong>Workspace Board Service</strong>
    </header>
    <nav id="sidebar" aria-label="Guides and operations">
      <input id="search" type="search" placeholder="Search ( / )" aria-label="Search" />
      <div id="results" hidden></div>
      <div id="links"></div>
    </nav>
    <main id="content">
      <noscript>
        This page needs JavaScript. <a href="api/v1/openapi.json">The document</a> does not.
      </noscript>
    </main>
    <script type="module" src="docs/main.js"></script>
  </body>
</html>
`;

// The build writes them.
const dist = new URL("../../../dist/", import.meta.url);
const clientTypes = new URL("client.d.ts", dist);
const clientBundle = new URL("bundle/client.js", dist);
const clientPackage = new URL("client.tgz", dist);
const commandLine = new URL("wbs.tgz", dist);

const scriptType = "text/javascript; charset=utf-8";

const files = [
  ...scripts.map((name) => [name, scriptType] as const),
  ["page.css", "text/css; charset=utf-8"],
  ["guides.json", "application/json"],
] as const;

/** The reference page, its files, the TypeScript client, the command line, and the types for a tRPC client. */
export function docsRoutes(deps: Pick<Deps, "limits" | "config">): Hono {
  const app = new Hono();
  app.use(countPages(deps));
  app.get("/", fixedPage(page, pageHeaders));
  for (const [name, type] of files) {
    const file = new URL(`reference/${name}`, dist);
    app.get(`/${name}`, builtFile(file, { ...pageHeaders, "Content-Type": type }));
  }
  const text = { ...pageHeaders, "Content-Type": "text/plain; charset=utf-8" };
  app.get("/client.d.ts", builtFile(clientTypes, text));
  const archive = { ...pageHeaders, "Content-Type": "application/gzip" };
  app.get("/client.tgz", builtFile(clientPackage, archive));
  app.get("/wbs.tgz", builtFile(commandLine, archive));
  // Pages of other origins import it.
  const script = { ...pageHeaders, "Content-Type": scriptType, "Access-Control-Allow-Origin": "*" };
  app.get("/client.js", builtFile(clientBundle, script));
  // A trailing slash would break the page's relative URLs.
  app.get("/*", (c, next) =>
    c.req.path.endsWith("/docs/") ? Promise.resolve(c.redirect("../docs", 308)) : next(),
  );
  return app;
}

// The build writes it.
const guidesFile = new URL("../../../dist/reference/guides.json", import.meta.url);
const headers = { "Content-Type": "text/markdown; charset=utf-8" };

/** `/llms.txt` and `/llms-full.txt`, for language models that write programs against the API. */
export function llmsRoutes(
  router: AnyRouter,
  deps: Pick<Deps, "baseUrl" | "limits" | "config">,
): Hono {
  const { baseUrl } = deps;
  const app = new Hono();
  const texts = loadOnce(async () => {
    const { readDocument, withoutWebhooks } = await import("../openapi/served-document.ts");
    const { fullText, guideText, indexText, readGuides } = await import("./llms.ts");
    const document = withoutWebhooks(await readDocument(router, baseUrl));
    const guides = readGuides(await readFile(guidesFile, "utf8"));
    const shared = (text: string) => sharedResponse(new Uint8Array(Buffer.from(text)));
    return new Map([
      ["/llms.txt", shared(indexText(document, guides, baseUrl))],
      ["/llms-full.txt", shared(fullText(document, guides, baseUrl))],
      ...guides.map((guide) => [`/docs/${guide.id}.md`, shared(guideText(guide))] as const),
    ]);
  });
  for (const path of ["/llms.txt", "/llms-full.txt", "/docs/:guide{[a-z-]+\\.md}"]) {
    app.get(path, countPages(deps), async (c, next) => {
      const text = (await texts()).get(c.req.path);
      return text === undefined ? next() : sendShared(c, text, headers);
    });
  }
  return app;
}
