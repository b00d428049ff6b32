import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { build } from "vite";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { newBoard, newPerson, useBrowser } from "./demo-window.ts";
import { useService } from "./service.ts";

const service = useService();
const browser = useBrowser();
let code: string;
beforeAll(async () => {
  code = await script();
});

const within = { timeout: 60_000, interval: 25 };
const calls = /\/(?:trpc|api\/v1)\//;

/** The application as one script. */
async function script(): Promise<string> {
  const prefix = "@workspace-board-service/client";
  const result = await build({
    configFile: false,
    logLevel: "silent",
    resolve: {
      alias: [
        {
          find: new RegExp(`^${prefix}$`),
          replacement: join(process.cwd(), "src/client/index.ts"),
        },
        {
          find: new RegExp(`^${prefix}/(.*)$`),
          replacement: join(process.cwd(), "src/client/$1/index.ts"),
        },
      ],
    },
    build: {
      write: false,
      rollupOptions: {
        input: "test/e2e/small-app/setup.tsx",
        output: { inlineDynamicImports: true },
      },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !("output" in output)) throw new Error("Nothing was built.");
  return output.output[0].code;
}

/** A browser whose page is cached, as by a service worker; the service can be cut off. */
async function newContext(): Promise<BrowserContext> {
  const context = await browser().newContext();
  onTestFinished(() => context.close());
  await context.route(`${service()}/app`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><link rel="icon" href="data:,"><body></body>
        <script type="module" src="/app.js"></script>`,
    }),
  );
  await context.route(`${service()}/app.js`, (route) =>
    route.fulfill({ contentType: "text/javascript", body: code }),
  );
  return context;
}

/** Signs in in a window. */
async function signedIn(context: BrowserContext, email: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${service()}/app`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("a wrong password");
  await page.getByRole("button", { name: "Sign in" }).click();
  // The sentence for people.
  await page.getByRole("alert").filter({ hasText: "password" }).waitFor();
  await page.getByLabel("Password").fill("a password for tests");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Website" }).waitFor();
  return page;
}

const cutOff = (context: BrowserContext) =>
  context.route(calls, (route) => route.abort("connectionrefused"));

test("boards, cards and changes survive a reload without the service, and are sent later", async () => {
  const person = await newPerson(service());
  const { boardPublicId, cards } = await newBoard(person);
  await person.client.comment.create({ cardPublicId: cards["Alpha"] ?? "", comment: "Seen" });
  const context = await newContext();
  const page = await signedIn(context, person.email);
  await page.getByRole("link", { name: "Website" }).click();
  await page.getByRole("link", { name: "Alpha" }).click();
  await page.getByText("Seen").waitFor();
  await page.getByRole("link", { name: "Boards" }).click();
  const stored = () =>
    page.evaluate<number>(`(async () => {
      const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
      const keys = [];
      for (const { name } of await indexedDB.databases())
        for (const key of await done((await done(indexedDB.open(name))).transaction("entries").objectStore("entries").getAllKeys()))
          keys.push(key);
      return keys.filter((key) => /^(board|live.(card|workspaces?))/.test(key)).length;
    })()`);
  await expect.poll(stored, within).toBeGreaterThanOrEqual(4);

  await cutOff(context);
  await page.reload();
  await page.getByRole("link", { name: "Website" }).click();
  await page.getByRole("link", { name: "Alpha" }).click();
  await page.getByText("Seen").waitFor();
  await page.getByRole("link", { name: "Beta" }).click();
  await page.getByText("Card: offline").waitFor();
  await page.getByLabel("New card in To do").fill("Made offline");
  await page.getByLabel("New card in To do").press("Enter");
  const dialog = page.getByRole("dialog", { name: "Made offline" });
  await dialog.getByLabel("Comment").fill("Written offline");
  await dialog.getByLabel("Comment").press("Enter");
  await dialog.getByText(`${person.name}: Written offline`).waitFor();
  await page.reload();
  await dialog.getByText(`${person.name}: Written offline`).waitFor();

  await context.unroute(calls);
  await page.getByText("online, 0 unsent, 0 failed").waitFor(within);
  const { lists } = await person.client.board.get({ boardPublicId });
  const made = lists[0]?.cards.find(({ title }) => title === "Made offline");
  const comments = await person.client.comment.list({ cardPublicId: made?.publicId ?? "" });
  expect(comments.items.map(({ comment }) => comment)).toEqual(["Written offline"]);
});

test("on a slow connection new cards open at once, and a second window shows them", async () => {
  const person = await newPerson(service());
  await newBoard(person);
  const context = await newContext();
  const page = await signedIn(context, person.email);
  await page.getByRole("link", { name: "Website" }).click();
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole("link", { name: "Alpha" }).waitFor();
  await context.route(calls, async (route) => {
    if (route.request().method() === "POST")
      await new Promise((resolve) => setTimeout(resolve, 1_500));
    await route.continue();
  });
  for (const title of ["One", "Two", "Three"]) {
    await page.getByLabel("New card in To do").fill(title);
    await page.getByLabel("New card in To do").press("Enter");
    // Nothing is sent yet when it is there.
    await page.getByRole("dialog", { name: title }).waitFor();
    expect(await page.getByRole("status").textContent()).not.toContain(" 0 unsent");
  }
  await other.getByRole("link", { name: "Three" }).waitFor(within);
  await page.getByText("online, 0 unsent, 0 failed").waitFor(within);
  await page.getByRole("dialog", { name: "Three" }).waitFor();
  expect(await page.getByText("Card: ").count()).toBe(0);
  // A sign-out ends the other window too.
  await page.getByRole("button", { name: "Sign out" }).click();
  await other.getByLabel("Email").waitFor(within);
});

test("the application needs fewer than ten lines of plumbing", () => {
  const setup = readFileSync("test/e2e/small-app/setup.tsx", "utf8");
  const [, plumbing = ""] = setup.split(/\/\/ The plumbing.*\n/);
  const lines = plumbing.split("\n").filter((line) => line.trim() !== "");
  process.stdout.write(`plumbing of the small application: ${lines.length} lines\n`);
  expect(lines.length).toBeLessThan(10);
  // The components have no plumbing.
  const pages = readFileSync("test/e2e/small-app/app.tsx", "utf8");
  expect(pages).not.toMatch(/useEffect|useSyncExternalStore|fetch|localStorage|await|setTimeout/);
});
