import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { demoUrl, startupMessage } from "../../src/app/startup-message.ts";
import { readConfig, servesDemo } from "../../src/platform/config.ts";
import { useApp } from "../support/app.ts";

const url = "http://127.0.0.1:3000";
const development = useApp();
const production = useApp({ env: { NODE_ENV: "production" } });

test("the demo is served in development, and 404 in production", async () => {
  const get = (app: typeof development) => app().fetch(new Request(`${url}/demo`));
  const [page, missing] = [await get(development), await get(production)];
  expect([page.status, missing.status]).toEqual([200, 404]);
  expect(await page.text()).toContain(`src="demo/app.js"`);
});

test("in development / has the links that the start prints, and README names; in production it is 404", async () => {
  const get = (app: typeof development) => app().fetch(new Request(`${url}/`));
  const [page, missing] = [await get(development), await get(production)];
  expect([page.status, missing.status]).toEqual([200, 404]);
  const html = await page.text();
  const printed = startupMessage(url, { isNew: false, hasDemo: true });
  const readme = readFileSync("README.md", "utf8");
  const named = [...readme.matchAll(/^\| .*`(http:\/\/127\.0\.0\.1:3000\/[^`]*)` /gm)];
  expect(named.length).toBeGreaterThan(5);
  for (const [, address = ""] of named) {
    expect(printed).toContain(`${address}\n`);
    expect(html).toContain(`href="${address}"`);
    const { pathname } = new URL(address);
    const methods = await Promise.all(
      ["GET", "POST"].map((method) =>
        development().fetch(new Request(`${url}${pathname}`, { method })),
      ),
    );
    // The roots of the APIs have no answer of their own.
    if (!/^\/(?:api\/v1|trpc)$/.test(pathname)) {
      expect([pathname, methods.some(({ status }) => status !== 404)]).toEqual([pathname, true]);
    }
  }
});

test("DEMO turns the demo on and off", () => {
  const served = (env: Record<string, string>) => servesDemo(readConfig(env));
  const isPublic = { HOST: "0.0.0.0" };
  expect([served({}), served({ DEMO: "false" })]).toEqual([true, false]);
  expect([served(isPublic), served({ ...isPublic, DEMO: "true" })]).toEqual([false, true]);
});

test("the startup message names the demo, and its link offers the account in the fragment", () => {
  expect(startupMessage(url, { isNew: false, hasDemo: true })).toContain(`Demo      ${url}/demo\n`);
  expect(startupMessage(url, { isNew: false, hasDemo: false })).not.toContain("/demo");
  const link = new URL(demoUrl(url, { email: "a+b@example.com", password: "a&b" }));
  expect([link.pathname, link.search]).toEqual(["/demo", ""]);
  const account = Object.fromEntries(new URLSearchParams(link.hash.split("?")[1]));
  expect(account).toEqual({ email: "a+b@example.com", password: "a&b" });
});
