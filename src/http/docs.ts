import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Hono } from "hono";

const assets: Record<string, string> = {
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "swagger-ui.css": "text/css; charset=utf-8",
};

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Workspace Board Service</title>
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="reference"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

const start = `SwaggerUIBundle({
  url: "api/v1/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  displayOperationId: true,
  persistAuthorization: true,
  validatorUrl: null,
});
`;

const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** The interactive reference page; everything that it loads is served from here. */
export function docsFace(): Hono {
  const app = new Hono();
  app.get("/", (c) => c.html(page, 200, { "Content-Security-Policy": policy }));
  app.get("/start.js", (c) =>
    c.body(start, 200, { "Content-Type": "text/javascript; charset=utf-8" }),
  );
  for (const [name, type] of Object.entries(assets)) {
    app.get(`/${name}`, async (c) => {
      const file = createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
      return c.body(await readFile(file, "utf8"), 200, {
        "Content-Type": type,
        "Cache-Control": "public, max-age=86400",
      });
    });
  }
  return app;
}
