import { Hono } from "hono";
import { html } from "hono/html";
import type { Deps } from "../kernel/request/deps.ts";
import { servesDemo } from "../platform/config.ts";
import { addressesOf } from "./addresses.ts";
import { countPages } from "./count-pages.ts";
import { pageHeaders } from "./docs/routes.ts";

/** `/` in development: a page with the addresses that the startup message prints. */
export function firstPage(deps: Pick<Deps, "baseUrl" | "limits" | "config">): Hono {
  const links = addressesOf(deps.baseUrl, servesDemo(deps.config));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Workspace Board Service</title>
        <link rel="stylesheet" href="${deps.baseUrl}/docs/page.css" />
        <link rel="icon" href="data:," />
      </head>
      <body class="first-page">
        <main>
          <h1>Workspace Board Service</h1>
          <ul>
            ${links.map(([name, url]) => html`<li>${name}: <a href="${url}">${url}</a></li>`)}
          </ul>
        </main>
      </body>
    </html> `;
  const app = new Hono();
  app.get("/", countPages(deps), (c) => c.html(page, 200, pageHeaders));
  return app;
}
