import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { routesOf } from "../../../src/api/rest/routes.ts";
import { pageHeaders } from "../../../src/api/docs/routes.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { policy } from "../../../src/contract/policy.ts";
import { useApp } from "../../support/app.ts";

const app = useApp({ env: { NODE_ENV: "production" } });
const get = (path: string) => app().fetch(new Request(`https://service${path}`));

const sources = readdirSync("reference").filter((name) => name.startsWith("operator"));
const read = (name: string) => readFileSync(`reference/${name}`, "utf8");
const scripts = sources
  .filter((name) => name.endsWith(".js"))
  .map(read)
  .join("\n");

/** The addresses that a text names between quotes, behind some words. */
const named = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, address = ""]) => address);

test("a service in production serves the operator's page with its files and headers", async () => {
  const page = await get("/operator");
  const html = await page.text();
  const files = named(html, /(?:src|href)="(operator\/[^"]+)"/g);
  const modules = named(scripts, /from "\.\/([^"]+)"/g).map((name) => `operator/${name}`);
  const all = [...new Set([...files, ...modules])];
  expect(all).toEqual(expect.arrayContaining(sources.map((name) => `operator/${name}`)));
  const bodies = [html];
  for (const path of ["operator", ...all]) {
    const response = await get(`/${path}`);
    const sent = Object.fromEntries(response.headers);
    expect([path, response.status]).toEqual([path, 200]);
    for (const [name, value] of Object.entries(pageHeaders)) {
      expect([path, name, sent[name.toLowerCase()]]).toEqual([path, name, value]);
    }
    if (path !== "operator") bodies.push(await response.text());
  }
  // What a browser loads, as it is sent.
  const bytes = bodies.map((body) => gzipSync(body).length).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeLessThan(20_000);
  const slash = await get("/operator/");
  expect([slash.status, slash.headers.get("location")]).toEqual([308, "../operator"]);
});

test("its scripts name every operation of operators, and none that does not exist", () => {
  const called = new Set(named(scripts, /"((?:GET|POST|PUT|DELETE) \/[^"]*)"/g));
  const operations = routesOf(appRouter).map((route) => ({
    name: route.operation,
    address: `${route.method} ${route.path}`,
  }));
  const addresses = new Set(operations.map(({ address }) => address));
  expect([...called].filter((address) => !addresses.has(address))).toEqual([]);
  const ofOperators = operations.filter(({ name }) => policy[name].on === "operator");
  expect(ofOperators.length).toBeGreaterThan(20);
  expect(ofOperators.filter(({ address }) => !called.has(address))).toEqual([]);
});

test("they make no HTML of texts, and store nothing", () => {
  expect(scripts).not.toMatch(/innerHTML|outerHTML|insertAdjacent|document\.write|\.cookie/);
  expect(scripts).not.toMatch(/localStorage|sessionStorage|indexedDB|serviceWorker/);
});
