import { readFile } from "node:fs/promises";
import { Hono } from "hono";
import { page, script, style } from "./page.ts";

const script_ = "text/javascript; charset=utf-8";
const style_ = "text/css; charset=utf-8";

// Written by the build.
const dist = new URL("../../../dist/", import.meta.url);
const clientTypes = new URL("client.d.ts", dist);
const vendored = [
  ["swagger-ui-bundle.js", script_, new URL("swagger-ui/swagger-ui-bundle.js", dist)],
  ["swagger-ui.css", style_, new URL("swagger-ui/swagger-ui.css", dist)],
] as const;
const own = [
  ["start.js", script_, script],
  ["page.css", style_, style],
] as const;

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
