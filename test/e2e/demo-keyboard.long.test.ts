import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  cardOf,
  choose,
  newBoard,
  newPerson,
  openWindow,
  shown,
  stored,
  useBrowser,
} from "./demo-window.ts";
import { useService } from "./service.ts";

const service = useService();
const browser = useBrowser();

const within = { timeout: 60_000, interval: 25 };
const cards = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"];

/** A user with a board in a window. */
async function withWindow() {
  const person = await newPerson(service());
  const board = await newBoard(person);
  const page = await openWindow(browser(), service(), person, board.boardPublicId);
  onTestFinished(() => page.context().close());
  return { page, person, ...board, inService: () => stored(person, board.boardPublicId) };
}

const link = (page: Page, title: string) => page.getByRole("link", { name: title, exact: true });

/** What has the focus: its name, or its text. */
const focused = (page: Page) =>
  page.evaluate<string>(`(() => {
    const { activeElement: one } = document;
    return one.getAttribute("aria-label") ?? one.textContent;
  })()`);

/** What the page says while a card is moved. */
const said = (page: Page) => page.locator("[aria-live=assertive].unseen").textContent();

describe("in Chromium, the keyboard of the demo", () => {
  test("picks a card up, moves it within its list and to others, says where it is, and drops it", async () => {
    const { page, inService } = await withWindow();
    await link(page, "Beta").focus();
    await page.keyboard.press("Space");
    await expect.poll(() => said(page), within).toBe("Position 2 of 5 in To do.");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => said(page), within).toBe("Position 3 of 5 in To do.");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    const sorted = ["Alpha", "Gamma", "Delta", "Beta", "Epsilon"];
    await expect.poll(inService, within).toEqual([sorted, [], []]);
    await expect.poll(() => focused(page), within).toBe("Beta");

    await page.keyboard.press("Space");
    await expect.poll(() => said(page), within).toBe("Position 4 of 5 in To do.");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => said(page), within).toBe("Position 1 of 1 in Done.");
    await page.keyboard.press("Enter");
    const moved = [["Alpha", "Gamma", "Delta", "Epsilon"], [], ["Beta"]];
    await expect.poll(inService, within).toEqual(moved);
    await expect.poll(() => focused(page), within).toBe("Beta");
    // The card has not been opened.
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("puts a card back with Escape, and stays at the edges of the board", async () => {
    const { page } = await withWindow();
    await link(page, "Alpha").focus();
    await page.keyboard.press("Space");
    await expect.poll(() => said(page), within).toBe("Position 1 of 5 in To do.");
    for (const key of ["ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight"]) {
      await page.keyboard.press(key);
    }
    await expect.poll(() => said(page), within).toBe("Position 1 of 1 in Doing.");
    await page.keyboard.press("Escape");
    await expect.poll(() => said(page), within).toBe("");
    expect(await shown(page)).toEqual([cards, [], []]);
    // A screen reader hears how, where the card is.
    const id = await link(page, "Alpha").getAttribute("aria-describedby");
    expect(await page.locator(`#${id}`).textContent()).toContain("Space picks it up");
  });

  test("moves a card by the menu of its tile, and keeps the focus", async () => {
    const { page, inService } = await withWindow();
    const move = async (title: string, entry: string) => {
      await cardOf(page, title).hover();
      await choose(page, `Menu of the card ${title}`, entry);
    };
    await move("Delta", "Move up");
    await expect
      .poll(inService, within)
      .toEqual([["Alpha", "Beta", "Delta", "Gamma", "Epsilon"], [], []]);
    await expect.poll(() => focused(page), within).toBe("Delta");
    await move("Delta", "Move to the top");
    await move("Alpha", "Move to the bottom");
    await move("Beta", "Move down");
    const sorted = ["Delta", "Gamma", "Beta", "Epsilon", "Alpha"];
    await expect.poll(inService, within).toEqual([sorted, [], []]);
    // The first card has no way up, the last none down.
    await cardOf(page, "Delta").hover();
    await page.getByRole("button", { name: "Menu of the card Delta" }).click();
    const entries = await page.getByRole("menuitem").allInnerTexts();
    expect(entries.map((text) => text.split("\n")[0])).toEqual([
      "Move down",
      "Move to the bottom",
      "Move to a list",
      "Duplicate the card",
      "Archive the card",
      "Delete the card",
    ]);
  });

  test("moves a card to a list and duplicates it by the menu of its dialog", async () => {
    const { page, inService } = await withWindow();
    await link(page, "Gamma").click();
    await page.getByRole("dialog").getByLabel("New comment").waitFor();
    await page.getByRole("button", { name: "Card menu" }).click();
    await page.getByRole("menuitem", { name: "Move to a list" }).press("ArrowRight");
    await page.getByRole("menuitem", { name: "Doing" }).press("Enter");
    await expect
      .poll(inService, within)
      .toEqual([["Alpha", "Beta", "Delta", "Epsilon"], ["Gamma"], []]);
    await choose(page, "Card menu", "Duplicate the card");
    await expect.poll(inService, within).toMatchObject([{}, ["Gamma", "Gamma"], []]);
  });

  test("has shortcuts that search, add a card and show the help, but not while somebody types", async () => {
    const { page } = await withWindow();
    await page.keyboard.press("/");
    await expect.poll(() => focused(page), within).toBe("Filter cards");
    await page.keyboard.type("c?/");
    expect(await page.getByLabel("Filter cards").inputValue()).toBe("c?/");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByLabel("Filter cards").fill("");
    await page.getByRole("heading", { name: "Website" }).focus();
    await page.keyboard.press("c");
    await expect.poll(() => focused(page), within).toBe("New card in To do");
    await page.keyboard.type("Zeta");
    await page.keyboard.press("Enter");
    await cardOf(page, "Zeta").waitFor();
    // In a list with the focus, the card is made there.
    await page.getByRole("button", { name: "Menu of Done" }).focus();
    await page.keyboard.press("c");
    await expect.poll(() => focused(page), within).toBe("New card in Done");
    await page.getByRole("heading", { name: "Website" }).focus();
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    for (const key of ["/", "c", "?", "Space"]) {
      await help.getByText(key, { exact: true }).waitFor();
    }
    // A dialog covers the page: its keys are not for the page.
    await page.keyboard.press("c");
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await expect.poll(() => focused(page), within).toBe("Website");
    await page.keyboard.press("Control+/");
    expect(await focused(page)).toBe("Website");
    await page.getByRole("link", { name: "Boards", exact: true }).click();
    await page.getByRole("heading", { name: "Workspaces" }).waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => focused(page), within).toBe("Search in Engines");
  });

  test("finds the focus at the heading of each page, and back at the card and the menu", async () => {
    const { page } = await withWindow();
    // Signing in, and opening a board, are new pages.
    await expect.poll(() => focused(page), within).toBe("Website");
    await page.getByRole("link", { name: "Boards", exact: true }).press("Enter");
    await expect.poll(() => focused(page), within).toBe("Workspaces");
    await page.getByRole("link", { name: /^Website/ }).press("Enter");
    await expect.poll(() => focused(page), within).toBe("Website");
    await link(page, "Gamma").press("Enter");
    await page.getByRole("dialog").getByLabel("New comment").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focused(page), within).toBe("Gamma");

    await choose(page, "Board menu", "Rename the board");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focused(page), within).toBe("Board menu");

    await link(page, "Gamma").press("Enter");
    await choose(page, "Card menu", "Archive the card");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focused(page), within).toBe("Website");
  });

  test("has the focus on the heading after a sign-in", async () => {
    const person = await newPerson(service());
    const page = await browser().newPage();
    onTestFinished(() => page.context().close());
    await page.goto(`${service()}/demo`);
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password").fill("a password for tests");
    await page.getByLabel("Password").press("Enter");
    await page.getByRole("heading", { name: "Workspaces" }).waitFor();
    await expect.poll(() => focused(page), within).toBe("Workspaces");
  });

  test("has a link that skips to the content", async () => {
    const { page } = await withWindow();
    await page.reload();
    await cardOf(page, "Alpha").waitFor();
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to the content" });
    expect(await focused(page)).toBe("Skip to the content");
    const box = await skip.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    const address = page.url();
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    expect(page.url()).toBe(address);
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("New list");
  });
});
