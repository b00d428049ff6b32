import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Hono } from "hono";
import { page, script, style } from "./page.ts";

const require = createRequire(import.meta.url);
const script_ = "text/javascript; charset=utf-8";
const style_ = "text/css; charset=utf-8";

const vendored = [
  ["swagger-ui-bundle.js", script_, require.resolve("swagger-ui-dist/swagger-ui-bundle.js")],
  ["swagger-ui.css", style_, require.resolve("swagger-ui-dist/swagger-ui.css")],
] as const;
const own = [
  ["start.js", script_, script],
  ["page.css", style_, style],
] as const;

// Written by the build.
const clientTypes = new URL("../../../dist/client.d.ts", import.meta.url);

const headers = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** The interactive reference page, everything that it loads, and the types of a tRPC client. */
export function docsRoutes(): Hono {
  const app = new Hono();
  app.get("/", (c) => c.html(page, 200, headers));
  for (const [name, type, text] of own) {
    app.get(`/${name}`, (c) => c.body(text, 200, { ...headers, "Content-Type": type }));
  }
  for (const [name, type, file] of vendored) {
    app.get(`/${name}`, async (c) =>
      c.body(await readFile(file, "utf8"), 200, {
        ...headers,
        "Content-Type": type,
        "Cache-Control": "public, max-age=86400",
      }),
    );
  }
  app.get("/client.d.ts", async (c) =>
    c.body(await readFile(clientTypes, "utf8"), 200, {
      ...headers,
      "Content-Type": "text/plain; charset=utf-8",
    }),
  );
  // With a slash at its end the page's relative addresses would lead nowhere.
  app.get("/*", (c, next) =>
    c.req.path.endsWith("/docs/") ? Promise.resolve(c.redirect("../docs", 308)) : next(),
  );
  return app;
}
