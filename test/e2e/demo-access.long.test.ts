import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  cardOf,
  choose,
  findings,
  newBoard,
  newPerson,
  openWindow,
  useBrowser,
} from "./demo-window.ts";
import { useService } from "./service.ts";

const service = useService();
const browser = useBrowser();

/** A board with everything that a tile shows, and a view as a table. */
async function richBoard() {
  const person = await newPerson(service());
  const { client } = person;
  const made = await newBoard(person);
  const { workspacePublicId, boardPublicId } = made;
  const { memberPublicId } = await client.workspace.get({ workspacePublicId });
  const [label] = await client.label.list({ boardPublicId });
  const cardPublicId = made.cards["Alpha"] ?? "";
  await client.card.update({
    cardPublicId,
    description: "## Why\n\n- because of `this`\n\n> and that",
    dueDate: "2020-01-02T12:00:00.000Z",
    priority: "urgent",
  });
  await client.card.update({ cardPublicId: made.cards["Beta"] ?? "", priority: "high" });
  await client.card.addLabel({ cardPublicId, labelPublicId: label?.publicId ?? "" });
  await client.card.addMember({ cardPublicId, memberPublicId: memberPublicId ?? "" });
  await client.comment.create({ cardPublicId, comment: "Looks **right**" });
  const view = await client.view.create({
    workspacePublicId,
    name: "All",
    scope: "workspace",
    layout: "table",
    groupBy: { field: "priority" },
  });
  return { person, ...made, view };
}

async function openAs(options: BrowserContextOptions) {
  const made = await richBoard();
  const page = await openWindow(browser(), service(), made.person, made.boardPublicId, options);
  onTestFinished(() => page.context().close());
  return { ...made, page };
}

const close = (page: Page) =>
  page.getByRole("dialog").getByRole("button", { name: "Close" }).click();

describe("in Chromium, the demo", () => {
  test.each(["light", "dark"] as const)("has no finding of axe, %s", async (colorScheme) => {
    const { page, workspacePublicId, boardPublicId, view } = await openAs({ colorScheme });
    const found: string[] = [];
    const check = async (place: string) => {
      for (const one of await findings(page)) found.push(`${place}: ${one}`);
    };
    await cardOf(page, "Alpha").waitFor();
    await check("board");

    await page.getByRole("link", { name: "Alpha", exact: true }).click();
    await page.getByRole("dialog").getByText("Looks right").waitFor();
    await check("card");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Members/ })
      .click();
    await page.getByRole("menu").waitFor();
    await check("picker");
    await page.keyboard.press("Escape");
    await close(page);

    for (const entry of ["Show the members", "Edit labels", "Edit fields", "Show the activity"]) {
      await choose(page, "Board menu", entry);
      await page.getByRole("dialog").waitFor();
      await check(entry);
      await close(page);
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    await page.goto(`${service()}/demo#/board/${boardPublicId}?text=nothing`);
    await page.getByText("The filter hides 5 cards.").waitFor();
    await check("filtered board");

    await page.goto(`${service()}/demo#/view/${workspacePublicId}/${view.publicId}`);
    await page.getByRole("cell", { name: "Alpha" }).waitFor();
    await check("table");

    await page.getByRole("link", { name: "Boards", exact: true }).click();
    await page.getByRole("link", { name: /^Website/ }).waitFor();
    await page.getByRole("region", { name: "Your cards" }).waitFor();
    await check("workspace");
    await choose(page, "Account of Ada Brandt", "Profile");
    await page.getByRole("dialog").getByLabel("Picture").waitFor();
    await check("profile");
    await close(page);
    await page.getByRole("button", { name: /^Notifications/ }).click();
    await page.getByRole("dialog").waitFor();
    await check("notifications");
    await page.keyboard.press("Escape");

    await choose(page, "Account of Ada Brandt", "Sign out");
    await page.getByLabel("Email").waitFor();
    await check("sign-in");
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("button", { name: "Send the mail" }).waitFor();
    await check("reset");
    expect(found).toEqual([]);
  });

  test.each([
    ["desktop", { viewport: { width: 1280, height: 800 } }],
    ["tablet", { viewport: { width: 900, height: 900 } }],
    ["phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
  ])("shifts nothing on the %s when the views arrive", async (name, options) => {
    const { page, workspacePublicId, view } = await openAs(options);
    const shifts = () =>
      page.evaluate<number>("globalThis.shifts.reduce((sum, { value }) => sum + value, 0)");
    await page.addInitScript(`globalThis.shifts = [];
      new PerformanceObserver((list) => {
        for (const one of list.getEntries()) if (!one.hadRecentInput) globalThis.shifts.push(one);
      }).observe({ type: "layout-shift", buffered: true });`);
    // The answers come one after another, the views last.
    let isHeld = true;
    const held: (() => void)[] = [];
    await page.route(/view\.(?:list|groups)/, async (route) => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await page.reload();
    await cardOf(page, "Alpha").waitFor();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    isHeld = false;
    for (const release of held) release();
    await page.getByRole("link", { name: "All 5" }).waitFor();
    const onBoard = await shifts();
    expect(onBoard).toBeLessThan(0.02);

    await page.goto(`${service()}/demo#/view/${workspacePublicId}/${view.publicId}`);
    await page.reload();
    await page.getByRole("cell", { name: "Alpha" }).waitFor();
    await page.getByRole("link", { name: "All 5" }).waitFor();
    const onView = await shifts();
    process.stdout.write(`Layout shifts on the ${name}: ${onBoard}, ${onView}\n`);
    expect(onView).toBeLessThan(0.02);
  });

  test("shows the first card of a phone within its first quarter, and tiles in one line of signs", async () => {
    const viewport = { width: 390, height: 844 };
    const { page } = await openAs({ viewport, isMobile: true, hasTouch: true });
    const top = async (title: string) => (await cardOf(page, title).boundingBox())?.y ?? Infinity;
    expect(await top("Alpha")).toBeLessThan(viewport.height / 4);
    const facts = cardOf(page, "Alpha").locator(".facts");
    const height = (await facts.boundingBox())?.height;
    expect(height).toBeLessThan(30);
    expect(await facts.innerText()).toContain("0/1");
    const meanings = await page.evaluate(
      "[...document.querySelectorAll('.facts:has(.late) .fact')].map((one) => one.title)",
    );
    expect(meanings).toEqual(["", "Has a description", "0/1 checklist items", "1 comment"]);
    expect(await cardOf(page, "Alpha").locator(".card-head").innerText()).toContain(
      "Priority urgent",
    );
  });

  test("shows the text of a card on the left, its properties on the right, and its comments at 900 px", async () => {
    const { page } = await openAs({ viewport: { width: 900, height: 900 } });
    await page.getByRole("link", { name: "Alpha", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Looks right").waitFor();
    const box = async (selector: string) => {
      const found = await dialog.locator(selector).boundingBox();
      return found ?? { x: 0, y: 0, width: 0, height: 0 };
    };
    const [text, side, comments] = [
      await box(".card-text"),
      await box(".card-side"),
      await box("[aria-label=Comments]"),
    ];
    expect(text.x + text.width).toBeLessThanOrEqual(side.x);
    expect(Math.abs(text.y - side.y)).toBeLessThan(5);
    expect(comments.y + comments.height).toBeLessThan(900);
    for (const name of ["List", "Members", "Labels", "Priority"]) {
      await dialog.getByRole("button", { name: new RegExp(`^${name}`) }).click();
      await page.getByRole("searchbox", { name: `Search in ${name}` }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
    }
  });
});
