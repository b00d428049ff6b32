import { Hono } from "hono";
import type { Deps } from "../../kernel/request/deps.ts";
import { builtFile } from "../built-file.ts";
import { countPages } from "../count-pages.ts";
import { pageHeaders } from "./headers.ts";
import { page, scripts } from "./page.ts";

// The build writes them.
const dist = new URL("../../../dist/", import.meta.url);
const clientTypes = new URL("client.d.ts", dist);
const clientBundle = new URL("bundle/client.js", dist);
const clientPackage = new URL("client.tgz", dist);

const scriptType = "text/javascript; charset=utf-8";

const files = [
  ...scripts.map((name) => [name, scriptType] as const),
  ["page.css", "text/css; charset=utf-8"],
  ["guides.json", "application/json"],
] as const;

/** The reference page, its files, the TypeScript client, and the types for a tRPC client. */
export function docsRoutes(deps: Pick<Deps, "limits" | "config">): Hono {
  const app = new Hono();
  app.use(countPages(deps));
  app.get("/", (c) => c.html(page, 200, pageHeaders));
  for (const [name, type] of files) {
    const file = new URL(`reference/${name}`, dist);
    app.get(`/${name}`, builtFile(file, { ...pageHeaders, "Content-Type": type }));
  }
  const text = { ...pageHeaders, "Content-Type": "text/plain; charset=utf-8" };
  app.get("/client.d.ts", builtFile(clientTypes, text));
  const archive = { ...pageHeaders, "Content-Type": "application/gzip" };
  app.get("/client.tgz", builtFile(clientPackage, archive));
  // Pages of other origins import it.
  const script = { ...pageHeaders, "Content-Type": scriptType, "Access-Control-Allow-Origin": "*" };
  app.get("/client.js", builtFile(clientBundle, script));
  // A trailing slash would break the page's relative URLs.
  app.get("/*", (c, next) =>
    c.req.path.endsWith("/docs/") ? Promise.resolve(c.redirect("../docs", 308)) : next(),
  );
  return app;
}
