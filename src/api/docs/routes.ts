import { readFile } from "node:fs/promises";
import { Hono } from "hono";
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
export function docsRoutes(): Hono {
  const app = new Hono();
  app.get("/", (c) => c.html(page, 200, pageHeaders));
  for (const [name, type] of files) {
    const file = new URL(`reference/${name}`, dist);
    app.get(`/${name}`, async (c) =>
      c.body(await readFile(file, "utf8"), 200, {
        ...pageHeaders,
        "Content-Type": type,
        "Cache-Control": "no-cache",
      }),
    );
  }
  app.get("/client.d.ts", async (c) =>
    c.body(await readFile(clientTypes, "utf8"), 200, {
      ...pageHeaders,
      "Content-Type": "text/plain; charset=utf-8",
    }),
  );
  app.get("/client.tgz", async (c) =>
    c.body(new Uint8Array(await readFile(clientPackage)), 200, {
      ...pageHeaders,
      "Content-Type": "application/gzip",
    }),
  );
  // Pages of other origins import it.
  app.get("/client.js", async (c) =>
    c.body(await readFile(clientBundle, "utf8"), 200, {
      ...pageHeaders,
      "Access-Control-Allow-Origin": "*",
      "Content-Type": scriptType,
      "Cache-Control": "no-cache",
    }),
  );
  // A trailing slash would break the page's relative URLs.
  app.get("/*", (c, next) =>
    c.req.path.endsWith("/docs/") ? Promise.resolve(c.redirect("../docs", 308)) : next(),
  );
  return app;
}
