import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { webhookEventTypes } from "../../src/contract/events.ts";
import { routesOf } from "../../src/api/rest/routes.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { useBrowser } from "./demo-window.ts";
import { useService } from "./service.ts";

/** The part of the page's links that is read. */
type Link = {
  getAttribute(name: string): string | null;
  closest(
    selector: string,
  ): { querySelector(selector: string): { textContent: string } | null } | null;
};

const service = useService();

test("the page and its files are served locally, with a strict Content-Security-Policy", async () => {
  const response = await fetch(`${service()}/docs`);
  const html = await response.text();
  expect(response.headers.get("content-type")).toMatch(/^text\/html/);
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:|\*|unsafe/);

  const named = [...html.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(
    ([, address]) => address,
  );
  expect(named.length).toBeGreaterThanOrEqual(9);
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
  const browser = useBrowser();
  let page: Page;
  const requests: string[] = [];
  const consoleErrors: string[] = [];

  beforeAll(async () => {
    page = await open();
  });

  /** Opens the page, and records its requests and errors. */
  async function open(path = "/docs", viewport = { width: 1200, height: 1000 }) {
    const opened = await browser().newPage({ viewport });
    opened.on("request", (request) => requests.push(request.url()));
    opened.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning")
        consoleErrors.push(message.text());
    });
    opened.on("pageerror", (error) => consoleErrors.push(error.message));
    await opened.goto(`${service()}${path}`);
    await opened.waitForSelector("#content h1");
    return opened;
  }

  /** Opens an operation. */
  async function operationOf(name: string) {
    await page.goto(`${service()}/docs#/operation/${name}`);
    await page.locator("#content .address").getByText(pathOf(name), { exact: true }).waitFor();
    return page.locator("#content");
  }

  test("lists the guides first, then every operation under its tag, and every event", async () => {
    const links = await page.locator("nav a").evaluateAll((all) =>
      (all as unknown as Link[]).map((one) => ({
        href: one.getAttribute("href") ?? "",
        group: one.closest("details")?.querySelector("summary")?.textContent ?? "",
      })),
    );
    const namesOf = (kind: string) =>
      links.flatMap(({ href }) => (href.startsWith(`#/${kind}/`) ? [href.split("/")[2]] : []));
    const operations = routesOf(appRouter).map(({ name }) => name);
    expect(namesOf("operation").toSorted()).toEqual(operations.toSorted());
    expect(namesOf("event").toSorted()).toEqual([...webhookEventTypes, "webhook.test"].toSorted());
    const groups = [...new Set(links.map(({ group }) => group))];
    expect(groups.join(" ")).toMatch(
      /^Quick start.*REST API.*Webhooks.*Feed and stream.*Auth Users Workspaces Boards.*Health/s,
    );
    const guides = await page.locator('nav a[href^="#/guide/"]').allTextContents();
    expect(guides).toEqual(
      expect.arrayContaining(["Authentication", "Errors", "Rate limits", "Safe retries"]),
    );
  });

  test("shows an operation's input, responses and permission, with errors folded", async () => {
    const operation = await operationOf("list.create");
    const text = await operation.textContent();
    for (const part of ["boardPublicId", "Insufficient access", "list:create", "list.created"]) {
      expect(text).toContain(part);
    }
    expect(await operation.locator(".response[open] .status").allTextContents()).toEqual(["200"]);
  });

  test("shows code in four languages that names the operation", async () => {
    const operation = await operationOf("list.create");
    for (const [language, code] of [
      ["curl", "curl -X POST"],
      ["TypeScript", "boards.list.create({"],
      ["fetch", "await fetch("],
      ["Python", "requests.post("],
    ] as const) {
      await operation.getByRole("tab", { name: language, exact: true }).click();
      expect(await operation.locator(".tab code").textContent()).toContain(code);
    }
  });

  test("finds operations, guides and fields that are not shown", async () => {
    const sidebar = "document.getElementById('sidebar')";
    await page.evaluate(`${sidebar}.scrollTop = 200`);
    const found = async (query: string) => {
      await page.fill("#search", query);
      return page.locator("#results a").allTextContents();
    };
    expect((await found("redeliver")).join()).toContain("Redeliver an event");
    expect((await found("overlapHours")).join()).toContain("Rotate a webhook's secret");
    expect((await found("idempotency-key")).join()).toContain("Safe retries");
    expect((await found("slug_taken")).join()).toContain("Error codes: 409 CONFLICT");
    expect(await page.locator("#links").isVisible()).toBe(false);
    expect(await page.evaluate(`${sidebar}.scrollTop`)).toBe(0);
    // The search field has a cover of 16 px around it.
    const field = await page.locator("#search").boundingBox();
    const first = await page.locator("#results a").first().boundingBox();
    const gap = (first?.y ?? 0) - (field?.y ?? 0) - (field?.height ?? 0);
    expect(gap).toBeGreaterThanOrEqual(16);
    expect(await found("")).toEqual([]);
  });

  test("finds words from their beginning, and forgives typos", async () => {
    const found = async (query: string) => {
      await page.fill("#search", query);
      return (await page.locator("#results a").allTextContents()).join();
    };
    expect(await found("pagination")).toContain("REST API: Responses");
    expect(await found("pagin")).toContain("REST API: Responses");
    for (const typo of ["paginatoin", "pagnation", "paginatiom"]) {
      expect([typo, await found(typo)]).toEqual([typo, await found("pagination")]);
    }
    expect(await found("chekclist")).toContain("checklist");
    expect(await found("zzzzzzzz")).toBe("");
    await page.fill("#search", "");
  });

  test("says that an address is unknown, and what resembles it", async () => {
    for (const hash of [
      "#/operation/card.craete",
      "#/guide/nothing",
      "#/schema/Nothing",
      "#nothing",
    ]) {
      await page.goto(`${service()}/docs${hash}`);
      await page.getByRole("heading", { name: "Not found" }).waitFor();
      expect(await page.locator("#content").innerText()).toContain(hash);
    }
    await page.goto(`${service()}/docs#/operation/card.craete`);
    await page.locator('#content a[href="#/operation/card.create"]').click();
    await page.locator("#content .address").getByText("/cards", { exact: true }).waitFor();
  });

  test("has the operations on the first screen", async () => {
    const opened = await open();
    const first = await opened.locator("nav details[data-tag]").first().boundingBox();
    expect(first?.y).toBeLessThan(700);
    await opened.close();
  });

  test("sends one field in the samples of updates", async () => {
    for (const { name } of routesOf(appRouter).filter((route) => route.name.endsWith(".update"))) {
      const operation = await operationOf(name);
      await operation.getByRole("tab", { name: "curl", exact: true }).click();
      const code = (await operation.locator(".tab code").textContent()) ?? "";
      const [, body = "{}"] = /-d '([^]*)'/.exec(code) ?? [];
      const required = name === "label.update" ? 2 : 1;
      expect([name, Object.keys(JSON.parse(body)).length]).toEqual([name, required]);
    }
  });

  test("signs in with a password, and sends with the token", async () => {
    const account = { email: "try@example.com", password: "correct horse battery", name: "Ada" };
    await fetch(`${service()}/api/v1/auth/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(account),
    });
    const opened = await open("/docs#/operation/user.me");
    await opened.locator(".try-it > summary").click();
    await opened.locator("form summary").click();
    await opened.fill("input[name=email]", account.email);
    await opened.fill("input[name=password]", "a wrong password");
    await opened.press("input[name=password]", "Enter");
    await opened.locator("form .try .meta", { hasText: /password/i }).waitFor();
    await opened.fill("input[name=password]", account.password);
    await opened.press("input[name=password]", "Enter");
    await opened.getByText("Signed in.").waitFor();
    await opened.locator(".send").click();
    const response = opened.locator(".answer code");
    await response.waitFor();
    expect(JSON.parse((await response.textContent()) ?? "")).toMatchObject({ name: "Ada" });
    await opened.close();
  });

  test("is used with the keyboard, and each of its pages has a title", async () => {
    await page.goto(`${service()}/docs#/guide/concepts`);
    await page.locator("#content h1").getByText("Concepts").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("move cards");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const heading = page.getByRole("heading", { name: "Move cards to another list" });
    await heading.waitFor();
    expect(await page.title()).toMatch(/^Move cards to another list – /);
    await page.getByRole("tab", { name: "curl", exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    expect(await page.locator(".tab code").textContent()).toContain("boards.list.moveCards({");
    await page.fill("#search", "");
  });

  test("shows the address of this service in every guide", async () => {
    const response = await fetch(`${service()}/docs/guides.json`);
    const guides = z.array(z.object({ id: z.string() })).parse(await response.json());
    expect(guides.length).toBeGreaterThan(10);
    for (const { id } of guides) {
      await page.goto(`${service()}/docs#/guide/${id}`);
      await page.locator("#content .guide").waitFor();
      expect(await page.locator("#content").innerText()).not.toContain("127.0.0.1:3000");
    }
    await page.goto(`${service()}/docs#/guide/quick-start`);
    await page.locator("#content", { hasText: `${service()}/api/v1/auth/register` }).waitFor();
  });

  test("copies the code of operations and guides", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
    await page.goto(`${service()}/docs#/guide/quick-start`);
    const block = page.locator("#content .code").first();
    await block.getByRole("button", { name: "Copy" }).click();
    await block.getByText("Copied").waitFor();
    expect(await copied()).toBe("npm install && npm start");
    const operation = await operationOf("list.create");
    await operation.getByRole("button", { name: "Copy" }).first().click();
    await operation.getByText("Copied").waitFor();
    expect(await copied()).toContain("curl -X POST");
  });

  test("finds every operation and event by its name", async () => {
    expect(await page.evaluate<string[]>(searchAll)).toEqual([]);
    await page.fill("#search", "");
  });

  test("renders every operation, event and schema, no wider than a phone", async () => {
    const phone = await open("/docs", { width: 390, height: 844 });
    expect(await phone.evaluate<string[]>(visitAll)).toEqual([]);
    await phone.close();
  });

  test("sends a request and shows the response", async () => {
    const operation = await operationOf("health.check");
    await operation.locator(".try-it > summary").click();
    await operation.locator(".send").click();
    const response = operation.locator(".answer code");
    await response.waitFor();
    expect(JSON.parse((await response.textContent()) ?? "")).toMatchObject({ status: "ok" });
  });

  test.each([
    ["", null],
    ["?remember", "a token"],
  ])("at /docs%s stores the token as %s", async (search, stored) => {
    const opened = await open(`/docs${search}#/operation/user.me`);
    await opened.locator(".try-it > summary").click();
    await opened.fill("input[name=token]", "a token");
    await opened.locator(".send").click();
    await opened.locator(".answer code").waitFor();
    const all = await opened.evaluate<string[]>("Object.values(localStorage)");
    expect(all).toEqual(stored === null ? [] : [stored]);
    await opened.evaluate("localStorage.clear()");
    await opened.close();
  });

  test("fits a phone, whose menu opens and closes", async () => {
    const phone = await open("/docs#/operation/card.create", { width: 390, height: 844 });
    const width = () => phone.evaluate<number>("document.documentElement.scrollWidth");
    expect(await width()).toBe(390);
    const menu = phone.locator("nav");
    expect(await menu.isVisible()).toBe(false);
    await phone.click("#menu");
    expect(await menu.isVisible()).toBe(true);
    await phone.locator('nav [data-guide="rest"] > summary').click();
    await phone.locator('nav a[href="#/guide/rest/errors"]').click();
    await phone.getByRole("heading", { name: "Errors" }).waitFor();
    expect([await menu.isVisible(), await width()]).toEqual([false, 390]);
    await phone.close();
  });

  test("shows the first operation within a second of work of the page", async () => {
    const worked = async () => {
      const opened = await open("/docs#/operation/card.create");
      const { ScriptDuration, LayoutDuration } = await metricsOf(opened);
      await opened.close();
      return Number(ScriptDuration) + Number(LayoutDuration);
    };
    // The fastest of three: the browser counts the time in which the machine does other work.
    const seconds = [await worked()];
    while (seconds.length < 3 && Math.min(...seconds) >= 1) seconds.push(await worked());
    expect(Math.min(...seconds)).toBeLessThan(1);
  });

  test("contacts only this service, without console errors", () => {
    const elsewhere = requests.filter(
      (url) => !/^(?:data|blob):/.test(url) && !url.startsWith(`${service()}/`),
    );
    expect(elsewhere).toEqual([]);
    expect(consoleErrors.filter((text) => !text.includes("401"))).toEqual([]);
  });
});

/** Searches for every operation and event; the result is those without a link to them. */
const searchAll = `(() => {
  const search = document.getElementById("search");
  const hashes = [...document.querySelectorAll("#links a")].map((one) => one.getAttribute("href"));
  return hashes.filter((hash) => {
    const [, name] = /^#\\/(?:operation|event)\\/(.+)$/.exec(hash) ?? [];
    if (name === undefined) return false;
    search.value = name;
    search.dispatchEvent(new Event("input"));
    return document.querySelector('#results a[href="' + hash + '"]') === null;
  });
})()`;

/** Opens every link and every schema in the browser; the result is those empty or too wide. */
const visitAll = `(async () => {
  const { components } = await (await fetch("api/v1/openapi.json")).json();
  const links = [...document.querySelectorAll("nav a")].map((one) => one.getAttribute("href"));
  const schemas = Object.keys(components.schemas).map((name) => "#/schema/" + name);
  const faults = [];
  for (const hash of [...links, ...schemas]) {
    if (location.hash === hash) continue;
    const changed = new Promise((done) => addEventListener("hashchange", done, { once: true }));
    location.hash = hash;
    await changed;
    const isEmpty = document.querySelector("#content").textContent.length < 20;
    const isWide = document.documentElement.scrollWidth > innerWidth;
    if (isEmpty || isWide) faults.push(hash);
  }
  return faults;
})()`;

const pathOf = (name: string) =>
  routesOf(appRouter).find((route) => route.name === name)?.path ?? "";

/** The seconds that the browser has worked for a page, by kind of work. */
async function metricsOf(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}
