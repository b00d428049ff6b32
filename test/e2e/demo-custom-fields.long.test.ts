import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../support/temporary.ts";
import {
  cardOf,
  choose,
  drag,
  inCard,
  newBoard,
  newPerson,
  openWindow,
  pick,
  shown,
  smallTargets,
  useBrowser,
  stored,
  type Person,
  unnamed,
} from "./demo-window.ts";
import { useService } from "./service.ts";

const service = useService();
const browser = useBrowser();

const within = { timeout: 60_000, interval: 25 };

/** Fields of a board, of all types, and values of two of its cards. */
async function addFields({ client }: Person, boardPublicId: string, ids: Record<string, string>) {
  const add = (field: Omit<Parameters<typeof client.field.create>[0], "boardPublicId">) =>
    client.field.create({ boardPublicId, isShownOnCard: true, ...field });
  const size = await add({
    name: "Size",
    type: "select",
    options: [
      { name: "Small", colourCode: "#16a34a" },
      { name: "Large", colourCode: "#dc2626" },
    ],
  });
  const areas = await add({
    name: "Areas",
    type: "multiSelect",
    options: [
      { name: "Sales", colourCode: "#2563eb" },
      { name: "Legal", colourCode: "#9333ea" },
    ],
  });
  const effort = await add({ name: "Effort", type: "number", unit: "h" });
  const approved = await add({ name: "Approved", type: "checkbox" });
  const customer = await add({ name: "Customer", type: "text" });
  const visit = await add({ name: "Visit", type: "date" });
  const site = await add({ name: "Site", type: "url", isShownOnCard: false });
  await add({ name: "Reviewer", type: "member" });
  const option = (field: typeof size, nth: number) => field.options[nth]?.publicId ?? "";
  await client.card.update({
    cardPublicId: ids["Alpha"] ?? "",
    fields: {
      [size.publicId]: option(size, 1),
      [areas.publicId]: [option(areas, 0), option(areas, 1)],
      [effort.publicId]: 8,
      [approved.publicId]: true,
      [customer.publicId]: "Smith & Daughters",
      [visit.publicId]: "2027-03-01",
      [site.publicId]: "https://example.com/smith",
    },
  });
  await client.card.update({
    cardPublicId: ids["Beta"] ?? "",
    fields: { [size.publicId]: option(size, 0), [effort.publicId]: 2 },
  });
  return { size, effort };
}

async function openAs(person: Person, board: string, options: BrowserContextOptions = {}) {
  const page = await openWindow(browser(), service(), person, board, options);
  onTestFinished(() => page.context().close());
  return page;
}

/** A user with a board that has fields. */
async function withFields() {
  const person = await newPerson(service());
  const board = await newBoard(person);
  await addFields(person, board.boardPublicId, board.cards);
  return { person, ...board };
}

/** The board with fields in a window. */
async function withFieldsInWindow() {
  const made = await withFields();
  return { ...made, page: await openAs(made.person, made.boardPublicId) };
}

/** A user with a plain board in a window. */
async function withWindow() {
  const person = await newPerson(service());
  const board = await newBoard(person);
  return { person, ...board, page: await openAs(person, board.boardPublicId) };
}

/** Limits of lists, one of which is passed. */
async function limitLists({ client }: Person, boardPublicId: string) {
  const { lists } = await client.board.get({ boardPublicId });
  for (const [nth, { publicId: listPublicId }] of lists.entries()) {
    await client.list.update({ listPublicId, wipLimit: nth + 4, wipMode: "warn" });
  }
}

const pictures = async (page: Page, name: string) => {
  const folder = process.env["SCREENSHOTS"] ?? (await temporaryDirectory());
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
};

/** What a card shows of its fields, as "Size Large". */
const valuesOf = (page: Page, title: string) =>
  cardOf(page, title).locator(".values > div").allInnerTexts();

const sorted = async (texts: Locator) => (await texts.allInnerTexts()).toSorted();

describe("in Chromium, the demo", () => {
  test("edits fields of all types on a card, which another window shows", async () => {
    const { person, boardPublicId, cards } = await withFields();
    const [page, other] = [
      await openAs(person, boardPublicId),
      await openAs(person, boardPublicId),
    ];
    await inCard(page, "Gamma", async (dialog) => {
      const fields = dialog.getByRole("group", { name: "Custom fields" });
      await pick(dialog, "Size", "Large");
      await pick(dialog, "Areas", "Legal");
      await pick(dialog, "Areas", "Sales");
      await fields.getByLabel("Effort (h)").pressSequentially("2.5");
      await fields.getByLabel("Approved").check();
      await fields.getByLabel("Customer").fill("Jones");
      await fields.getByRole("textbox", { name: "Site" }).fill("https://example.com/jones");
      await fields.getByRole("textbox", { name: "Site" }).press("Enter");
      await pick(dialog, "Reviewer", "Ada Brandt");
      await fields.getByRole("spinbutton", { name: /month/ }).focus();
      await page.keyboard.type("03012027");
      const link = fields.getByRole("link", { name: "Open Site" });
      expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    });
    await expect
      .poll(() => valuesOf(other, "Gamma"), within)
      .toEqual([
        "Size\nLarge",
        "Areas\nSales\nLegal",
        "Effort\n2.5 h",
        "Approved\nYes",
        "Customer\nJones",
        "Visit\n3/1/2027",
        "Reviewer\nAda Brandt",
      ]);
    const { fields } = await person.client.card.get({ cardPublicId: cards["Gamma"] ?? "" });
    expect(Object.values(fields)).toContain("https://example.com/jones");
  });

  test("edits a field and filters by it with the keyboard alone", async () => {
    const { page } = await withFieldsInWindow();
    await page.getByRole("link", { name: "Gamma", exact: true }).press("Enter");
    const size = page.getByRole("dialog").getByRole("button", { name: /^Size/ });
    await size.press("Enter");
    await page.getByRole("searchbox", { name: "Search in Size" }).pressSequentially("lar");
    await page.getByRole("menuitemradio", { name: "Small" }).waitFor({ state: "detached" });
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("menu").waitFor({ state: "detached" });
    expect(await size.getAttribute("aria-label")).toBe("Size: Large");
    await page.keyboard.press("Escape");
    await expect.poll(() => valuesOf(page, "Gamma"), within).toEqual(["Size\nLarge"]);
    await page.getByRole("button", { name: "Filter by a field" }).press("Enter");
    await page.getByRole("menuitem", { name: "Size" }).press("Enter");
    await page.getByRole("button", { name: "Size", exact: true }).press("Enter");
    await page.getByRole("searchbox", { name: "Search in Size" }).pressSequentially("lar");
    await page.getByRole("menuitemcheckbox", { name: "Small" }).waitFor({ state: "detached" });
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => shown(page), within).toEqual([["Alpha", "Gamma"], [], []]);
    await page.getByRole("button", { name: "Remove Size: Large" }).press("Enter");
    await expect.poll(async () => (await shown(page))[0]?.length, within).toBe(5);
  });

  test("makes, changes, sorts and deletes fields and their options", async () => {
    const { page, person, boardPublicId } = await withWindow();
    await choose(page, "Board menu", "Edit fields");
    const dialog = page.getByRole("dialog");
    const nth = (at: number) => dialog.getByLabel(`Name of option ${at}`);
    await dialog.getByLabel("Name", { exact: true }).fill("Stage");
    await pick(dialog, "Type", "One option");
    await nth(1).fill("Won");
    await pick(dialog, "Colour of Won", "Green");
    await dialog.getByRole("button", { name: "Add an option" }).click();
    await nth(2).fill("Lost");
    await dialog.getByRole("button", { name: "Add the field" }).click();
    await dialog.getByRole("button", { name: "Edit Stage" }).waitFor();
    await dialog.getByLabel("Name", { exact: true }).fill("Effort");
    await pick(dialog, "Type", "Number");
    await dialog.getByLabel("Unit").fill("h");
    await dialog.getByRole("button", { name: "Add the field" }).click();
    await dialog.getByRole("button", { name: "Move Effort up" }).click();
    await dialog.getByRole("button", { name: "Edit Stage" }).click();
    await dialog.getByLabel("Name", { exact: true }).first().fill("Result");
    await dialog.getByRole("button", { name: "Move Lost up" }).click();
    await dialog.getByRole("button", { name: "Remove Won" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    const fields = async () =>
      (await person.client.field.list({ boardPublicId })).map(({ name, unit, options }) =>
        [name, unit, ...options.map((option) => option.name)].join(),
      );
    await expect.poll(fields, within).toEqual(["Effort,h", "Result,,Lost"]);
    await dialog.getByRole("button", { name: "Delete Effort" }).click();
    await dialog.getByRole("button", { name: "Delete from all cards" }).click();
    await expect.poll(fields, within).toEqual(["Result,,Lost"]);
  });

  test("filters by priority and a field, and shows the conditions", async () => {
    const { page, person, cards } = await withFieldsInWindow();
    const conditions = () => page.getByRole("list", { name: "Conditions" }).allInnerTexts();
    await choose(page, "Filter by a field", "Effort at least");
    await page.getByRole("spinbutton", { name: "Effort at least" }).fill("5");
    await expect.poll(() => shown(page), within).toEqual([["Alpha"], [], []]);
    await pick(page, "Priority", "urgent");
    await expect.poll(() => shown(page), within).toEqual([[], [], []]);
    expect((await conditions()).join()).toContain("Priority: urgent");
    await person.client.card.update({ cardPublicId: cards["Alpha"] ?? "", priority: "urgent" });
    await expect.poll(() => shown(page), within).toEqual([["Alpha"], [], []]);
    await page.getByRole("button", { name: "Remove Effort at least: 5" }).click();
    await page.getByRole("button", { name: "Remove Priority: urgent" }).click();
    await expect.poll(conditions, within).toEqual([]);
  });

  test("says that a list is full, and exceeds its limit if told so", async () => {
    const { page, person, boardPublicId } = await withWindow();
    const limit = async (list: string) => {
      await choose(page, `Menu of ${list}`, "Limit");
      await page.getByLabel("Most cards").fill("1");
      await pick(page, "A full list", "Refuses more cards");
      await page.getByRole("button", { name: "Save" }).click();
    };
    await limit("Doing");
    const head = (text: string) => page.getByRole("heading", { name: `Doing ${text}` }).waitFor();
    await head("0 / 1");
    await drag(page, "Alpha", "Doing");
    await head("1 / 1");
    await drag(page, "Beta", "Doing");
    const refused = page.getByRole("alert");
    await refused.getByText("The limit of the list is 1, and it would have 2 cards.").waitFor();
    await head("1 / 1");
    await refused.getByRole("button", { name: "Move anyway" }).click();
    await head("2 / 1");
    const inService = () => stored(person, boardPublicId);
    const expected = [["Gamma", "Delta", "Epsilon"], ["Alpha", "Beta"], []];
    await expect.poll(inService, within).toEqual(expected);
    await refused.waitFor({ state: "detached" });
    await page.getByLabel("New card in Doing").fill("Zeta");
    await page.getByLabel("New card in Doing").press("Enter");
    await refused.getByRole("button", { name: "Add anyway" }).click();
    await head("3 / 1");
    expected[1]?.push("Zeta");
    await expect.poll(inService, within).toEqual(expected);
  });

  test("saves a filter as a view, which shows the cards of all boards by groups", async () => {
    const { page, person, workspacePublicId, boardPublicId } = await withFieldsInWindow();
    const { client } = person;
    const second = await client.board.create({ workspacePublicId, name: "Shop", lists: ["Next"] });
    const [listPublicId = ""] = second.lists.map(({ publicId }) => publicId);
    const other = await client.card.create({ listPublicId, title: "Beta of the shop" });
    await page.getByLabel("Filter cards").fill("beta");
    await page.getByRole("button", { name: "Save as a view" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("All betas");
    await pick(dialog, "Who sees it", "Everyone in the workspace");
    await pick(dialog, "Group by", "Priority");
    await dialog.getByLabel("Only cards of this board").uncheck();
    await dialog.getByRole("button", { name: "Save" }).click();

    const group = (name: string) =>
      sorted(page.getByRole("region", { name, exact: true }).locator(".card a"));
    await page.getByRole("heading", { name: "All betas" }).waitFor();
    await expect.poll(() => group("None"), within).toEqual(["Beta", "Beta of the shop"]);
    await client.card.update({ cardPublicId: other.publicId, priority: "high" });
    await expect.poll(() => group("high"), within).toEqual(["Beta of the shop"]);
    await inCard(page, "Beta", (card) => pick(card, "Priority", "high"));
    await expect.poll(() => group("high"), within).toEqual(["Beta", "Beta of the shop"]);

    const views = page.getByRole("navigation", { name: "Views" });
    await views.getByRole("link", { name: "All betas 2" }).waitFor();
    await choose(page, "Menu of the view All betas", "Rename the view");
    await page.getByRole("textbox", { name: "Name" }).fill("Betas");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Betas", exact: true }).waitFor();
    await page.goto(`${service()}/demo#/board/${boardPublicId}`);
    await views.getByRole("link", { name: "Betas 2" }).click();
    await expect.poll(() => group("high"), within).toEqual(["Beta", "Beta of the shop"]);
    await choose(page, "Menu of the view Betas", "Delete the view");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "Workspaces" }).waitFor();
    expect(await client.view.list({ workspacePublicId })).toEqual([]);
  });

  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  test.each([
    ["desktop", {}],
    ["dark", { colorScheme: "dark" as const }],
    ["tablet", { viewport: { width: 900, height: 900 } }],
    ["phone", phone],
    ["phone-dark", { ...phone, colorScheme: "dark" as const }],
  ])("fits fields, filters and views on the %s, in pictures", async (name, options) => {
    const { person, boardPublicId } = await withFields();
    const page = await openAs(person, boardPublicId, options);
    const take = async (what: string) => {
      await pictures(page, `${name}-${what}`);
      expect(await unnamed(page)).toEqual([]);
      if (name.startsWith("phone")) expect(await smallTargets(page)).toEqual([]);
    };
    await take("fields-board");
    await page.getByRole("link", { name: "Alpha", exact: true }).click();
    await page.getByRole("dialog").getByLabel("New comment").waitFor();
    await take("fields-card");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await choose(page, "Board menu", "Edit fields");
    await page.getByRole("button", { name: "Edit Size" }).click();
    await take("fields-dialog");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    if (name.startsWith("phone")) await page.getByRole("button", { name: "Filter" }).click();
    await pick(page, "Priority", "none");
    await choose(page, "Filter by a field", "Effort at least");
    await page.getByRole("spinbutton", { name: "Effort at least" }).fill("5");
    await expect.poll(() => shown(page), within).toEqual([["Alpha"], [], []]);
    await take("filter");
    await page.getByRole("button", { name: "Save as a view" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Work in hand");
    await pick(page.getByRole("dialog"), "Group by", "Size");
    // On a phone a dialog shows once the keyboard has had time to appear.
    const opacity = "getComputedStyle(document.querySelector('.overlay')).opacity";
    await expect.poll(() => page.evaluate(opacity), within).toBe("1");
    await take("save-view");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Work in hand" }).waitFor();
    await cardOf(page, "Alpha").waitFor();
    await take("view");
    await page.goto(`${service()}/demo#/board/${boardPublicId}`);
    await page.getByRole("link", { name: /^Work in hand/ }).waitFor();
    await limitLists(person, boardPublicId);
    await page.locator(".over").waitFor();
    await take("board");
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(width).toBe(page.viewportSize()?.width);
  });
});
