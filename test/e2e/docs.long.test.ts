import { existsSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { webhookEventTypes } from "../../src/contract/events.ts";
import { routesOf } from "../../src/api/rest/routes.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { useService } from "./service.ts";

const service = useService();

test("the page and its files are served locally, with a strict Content-Security-Policy", async () => {
  const answer = await fetch(`${service()}/docs`);
  const html = await answer.text();
  expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);

  const named = [...html.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(
    ([, address]) => address,
  );
  expect(named.length).toBeGreaterThanOrEqual(4);
  for (const address of named) {
    expect(address).not.toMatch(/^(?:\w+:)?\/\//);
    const asset = await fetch(new URL(address ?? "", `${service()}/docs`));
    expect([address, asset.status]).toEqual([address, 200]);
    expect((await asset.text()).length).toBeGreaterThan(100);
  }
});

test("the page is served with a trailing slash too", async () => {
  const { status, url } = await fetch(`${service()}/docs/`);
  expect([status, url]).toEqual([200, `${service()}/docs`]);
  const nothing = await fetch(`${service()}/docs/nothing`);
  expect([nothing.status, await nothing.json()]).toMatchObject([404, { code: "NOT_FOUND" }]);
});

describe("in a browser, the page", () => {
  let browser: Browser;
  let page: Page;
  const requests: string[] = [];
  const consoleErrors: string[] = [];

  beforeAll(async () => {
    const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
    if (!existsSync(executablePath)) {
      throw new Error(
        `There is no ${executablePath}: apt-get install -y chromium, or name one in CHROMIUM.`,
      );
    }
    browser = await chromium.launch({
      executablePath,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    });
    page = await browser.newPage({ viewport: { width: 1200, height: 1000 } });
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning")
        consoleErrors.push(message.text());
    });
    page.on("pageerror", (error) => consoleErrors.push(error.message));
    await page.goto(`${service()}/docs`);
    await page.waitForSelector(".opblock");
  });
  afterAll(async () => browser?.close());

  /** Scrolls to an operation: distant ones are not rendered. */
  async function operationOf(name: string) {
    const operation = page.locator(".opblock").filter({
      has: page.locator(".opblock-summary-operation-id").getByText(name, { exact: true }),
    });
    await page.mouse.wheel(0, -1_000_000);
    const found = async () => {
      await page.mouse.wheel(0, 600);
      return operation.count();
    };
    await expect.poll(found, { timeout: 25_000, interval: 20 }).toBe(1);
    return operation;
  }

  test("lists every operation under its tag, and every event", async () => {
    const operations = routesOf(appRouter).map(({ name }) => name);
    const events = webhookEventTypes.map((type) => `on.${type}`);
    const names = [...operations, ...events, "on.webhook.test"].toSorted();
    const seen = new Set<string>();
    const tags = new Set<string>();
    const shown = async () => {
      const found = await page.locator(".opblock-summary-operation-id").allTextContents();
      for (const name of found) seen.add(name);
      for (const tag of await page.locator(".opblock-tag").allTextContents()) tags.add(tag);
      await page.mouse.wheel(0, 600);
      return [...seen].toSorted();
    };
    await expect.poll(shown, { timeout: 25_000, interval: 20 }).toEqual(names);
    expect([...tags].join(" ")).toMatch(/Auth.*Users.*Workspaces.*Boards.*Lists.*Cards.*Health/s);
  });

  test("shows an operation's input, responses and permission when it is opened", async () => {
    const operation = await operationOf("list.create");
    await operation.locator(".opblock-summary-control").click();
    await operation.locator(".responses-table").first().waitFor();
    const text = await operation.textContent();
    for (const part of [
      "boardPublicId",
      "Insufficient access",
      "x-required-permission",
      "list:create",
    ]) {
      expect(text).toContain(part);
    }
  });

  test("sends a request and shows the response", async () => {
    const operation = await operationOf("health.check");
    await operation.locator(".opblock-summary-control").click();
    await operation.locator(".try-out__btn").click();
    await operation.locator(".execute").click();
    const answer = operation
      .locator(".live-responses-table .response-col_description code")
      .first();
    await answer.waitFor();
    expect(JSON.parse((await answer.textContent()) ?? "")).toMatchObject({ status: "ok" });
  });

  test("contacts only this service, without console errors", () => {
    const elsewhere = requests.filter(
      (url) => !/^(?:data|blob):/.test(url) && !url.startsWith(`${service()}/`),
    );
    expect(elsewhere).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });
});
