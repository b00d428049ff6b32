import { existsSync } from "node:fs";
import axe from "axe-core";
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { createClient, newPublicId, type Client } from "../../src/client/index.ts";

const password = "a password for tests";

/** What the pages have reported or requested. */
export const reported: string[] = [];
/** The addresses that the pages have requested. */
export const requested: string[] = [];

/**
 * What Chromium does without. The suggestions of its address bar are a page of their own: each
 * window would render it, which costs as much as the window. The others are Playwright's, whose list
 * this one replaces.
 */
const withoutFeatures = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/** Without windows, it takes a fifth less CPU. */
const installed = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** Starts Chromium. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM"] ?? installed.find((path) => existsSync(path));
  if (executablePath === undefined || !existsSync(executablePath)) {
    throw new Error("There is no Chromium: apt-get install -y chromium, or name one in CHROMIUM.");
  }
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-component-update",
    `--disable-features=${withoutFeatures.join()}`,
  ];
  return chromium.launch({ executablePath, args });
}

/** Starts Chromium for the tests of a file, and ends it after them. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    // Files share the modules of their worker.
    reported.length = 0;
    requested.length = 0;
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined) throw new Error("The browser is there only inside tests.");
    return browser;
  };
}

/** A user of the service, with a client of their own. */
export type Person = { email: string; name: string; client: Client };

/** Signs a new user up. */
export async function newPerson(url: string, name = "Ada Brandt"): Promise<Person> {
  const client = createClient({ url });
  const email = `demo-${newPublicId()}@example.com`;
  await client.account.register({ email, password, name });
  return { email, name, client };
}

/** A board with three lists, of which the first has cards, and a checklist on its first card. */
export async function newBoard({ client }: Person) {
  const { publicId: workspacePublicId } = await client.workspace.create({ name: "Engines" });
  const board = await client.board.create({
    workspacePublicId,
    name: "Website",
    lists: ["To do", "Doing", "Done"],
    labels: [{ name: "Urgent", colourCode: "#dc2626" }],
  });
  const [listPublicId = ""] = board.lists.map(({ publicId }) => publicId);
  const cards: Record<string, string> = {};
  for (const title of ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"]) {
    cards[title] = (await client.card.create({ listPublicId, title })).publicId;
  }
  const alpha = { cardPublicId: cards["Alpha"] ?? "", name: "Steps" };
  const checklist = await client.checklist.create(alpha);
  await client.checklist.addItem({ checklistPublicId: checklist.publicId, title: "First step" });
  return { workspacePublicId, boardPublicId: board.publicId, cards };
}

/** Opens the demo in a window of its own, signs in, and opens a board. */
export async function openWindow(
  browser: Browser,
  url: string,
  { email }: Person,
  boardPublicId: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.on("request", (request) => requested.push(request.url()));
  page.on("pageerror", (error) => reported.push(error.message));
  page.on("console", (message) => {
    const isError = message.type() === "error" || message.type() === "warning";
    if (isError) reported.push(`${message.text()} ${message.location().url}`);
  });
  const account = new URLSearchParams({ email, password }).toString();
  await page.goto(`${url}/demo#/sign-in?${account}`);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Workspaces" }).waitFor();
  await page.goto(`${url}/demo#/board/${boardPublicId}`);
  await page.locator(".list").first().waitFor();
  return page;
}

/** The titles of the cards of each list, as a window shows them. */
export const shown = (page: Page) =>
  page.evaluate<string[][]>(`[...document.querySelectorAll(".list")].map((list) =>
    [...list.querySelectorAll(".card a")].map((card) => card.textContent))`);

/** The titles of the cards of each list, as the service has them. */
export async function stored({ client }: Person, boardPublicId: string): Promise<string[][]> {
  const { lists } = await client.board.get({ boardPublicId });
  return lists.map(({ cards }) => cards.map(({ title }) => title));
}

/** What is hard to hit with a finger, as it is lower than 44 px. */
export const smallTargets = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll(
      "button, .button, input:not([type=checkbox], [type=radio], .unseen), [role^=menuitem], summary, nav a")]
    .filter((one) => one.getClientRects().length > 0 && one.offsetHeight < 44)
    .map((one) => one.outerHTML)`);

type Finding = { id: string; nodes: { html: string; any: { message: string }[] }[] };

/** What axe finds on a page: rules of WCAG, and its best practices. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // Colours are compared once nothing fades any more.
  await page.evaluate(
    "Promise.all(document.getAnimations().map((one) => one.finished.catch(() => undefined)))",
  );
  const found = await page.evaluate<Finding[]>("axe.run().then(({ violations }) => violations)");
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ""}`),
  );
}

const controls = new Set(
  ["button", "link", "textbox", "searchbox", "spinbutton", "combobox", "checkbox"].concat([
    "dialog",
    "menu",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
  ]),
);

/** The controls of which a screen reader can say no name. */
export async function unnamed(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes
    .filter(({ ignored, role, name }) => {
      const isControl = controls.has(String(role?.value));
      return !ignored && isControl && !name?.value;
    })
    .map((node) => `${node.role?.value} ${node.backendDOMNodeId}`);
}

/** A card of a window. */
export const cardOf = (page: Page, title: string) =>
  page.locator(".card", { has: page.getByRole("link", { name: title, exact: true }) });

/** Drags a card with the mouse into a list. */
export async function drag(page: Page, title: string, list: string): Promise<void> {
  const from = await cardOf(page, title).boundingBox();
  const column = page.getByRole("region", { name: list, exact: true });
  const to = await column.boundingBox();
  if (from === null || to === null) throw new Error(`${title} or ${list} is not shown.`);
  const [x, y] = [to.x + to.width / 2, to.y + to.height - 60];
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(x - 20, y - 10, { steps: 5 });
  // The page may be slower than the mouse: it shows where the card would be dropped.
  const target = column.locator(".cards.end, .before");
  for (let nth = 0; (await target.count()) === 0; nth++) await page.mouse.move(x - (nth % 20), y);
  await page.mouse.up();
  // The next drag starts from where the cards are after this one.
  await column.getByRole("link", { name: title, exact: true }).waitFor();
}

/**
 * Types a text until it is there. For 50 ms after a drop dnd-kit clears each selection: what is typed
 * then is lost.
 */
export async function type(input: Locator, text: string): Promise<void> {
  const typed = async () => {
    await input.fill(text);
    return input.inputValue();
  };
  await expect.poll(typed).toBe(text);
}

/** Opens a card, runs something in its dialog, and closes it. */
export async function inCard(page: Page, title: string, run: (dialog: Dialog) => Promise<unknown>) {
  await page.getByRole("link", { name: title, exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Title").waitFor();
  await run(dialog);
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
}

type Dialog = ReturnType<Page["getByRole"]>;

/** Types the due date of a card, digit by digit. */
export async function typeDate(dialog: Dialog, digits: string): Promise<void> {
  await dialog.getByRole("spinbutton").first().focus();
  await dialog.page().keyboard.type(digits);
}

/** Chooses an entry of the menu that a button opens. */
export async function choose(page: Page, menu: string, entry: string): Promise<void> {
  await page.getByRole("button", { name: menu, exact: true }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

/** Chooses an entry of the list that a field opens; its button may already name what is chosen. */
export async function pick(scope: Page | Locator, field: string, entry: string): Promise<void> {
  const page = "page" in scope ? scope.page() : scope;
  const escaped = field.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  await scope.getByRole("button", { name: new RegExp(`^${escaped}(:|$)`) }).click();
  const menu = page.getByRole("menu");
  const option = menu.locator("[role^=menuitem]").filter({ hasText: entry });
  const isSingle = (await option.getAttribute("role")) === "menuitemradio";
  await option.click();
  // A list of which several entries can be chosen stays open.
  if (!isSingle) await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
}

/** Signs out with the menu of the account. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account of / }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
}

/** Everything that the databases of the browser hold, as text. */
export const storedInBrowser = (page: Page) =>
  page.evaluate<string>(`(async () => {
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const found = [];
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const table of database.objectStoreNames) {
        const entries = database.transaction(table).objectStore(table);
        found.push(name, ...(await done(entries.getAllKeys())), ...(await done(entries.getAll())));
      }
      database.close();
    }
    return JSON.stringify(found);
  })()`);
