import type { Page } from "playwright-core";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { startSmtp } from "../support/smtp.ts";
import {
  cardOf,
  choose,
  inCard,
  newBoard,
  newPerson,
  openWindow,
  pick,
  shown,
  useBrowser,
  type Person,
} from "./demo-window.ts";
import { useService } from "./service.ts";

const smtp = await startSmtp();
const service = useService(async () => ({
  SMTP_URL: smtp.url,
  VERIFY_EMAIL: "false",
  // The port is not known before the start: the test puts the token into the address of its service.
  PASSWORD_RESET_URL: "https://boards.example.com/demo#/reset-password",
}));
afterAll(() => smtp.close());
const browser = useBrowser();

const within = { timeout: 60_000, interval: 25 };
const cards = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"];

async function openAs(person: Person, board: string, options = {}) {
  const page = await openWindow(browser(), service(), person, board, options);
  onTestFinished(() => page.context().close());
  return page;
}

/** A user with a board in a window. */
async function withWindow(options = {}) {
  const person = await newPerson(service());
  const board = await newBoard(person);
  return { person, ...board, page: await openAs(person, board.boardPublicId, options) };
}

const conditions = (page: Page) =>
  page.getByRole("list", { name: "Conditions" }).locator("li").allInnerTexts();

describe("in Chromium, the demo", () => {
  test("has the filter in the address, which a reload, a card and another person keep", async () => {
    const { page, person, workspacePublicId } = await withWindow();
    const { inviteCode } = await person.client.invite.createLink({ workspacePublicId });
    const other = await newPerson(service(), "Ben Osei");
    await other.client.invite.accept({ inviteCode });

    await page.getByLabel("Filter cards").pressSequentially("a & e?");
    expect(await page.getByLabel("Filter cards").inputValue()).toBe("a & e?");
    await page.reload();
    await expect.poll(() => page.getByLabel("Filter cards").inputValue(), within).toBe("a & e?");
    await page.getByLabel("Filter cards").fill("a");
    await pick(page.getByRole("search"), "Priority", "none");
    await pick(page.getByRole("search"), "Priority", "urgent");
    const passing = [["Alpha", "Beta", "Gamma", "Delta"], [], []];
    await expect.poll(() => shown(page), within).toEqual(passing);
    expect(page.url()).toMatch(/\?text=a&priority=none&priority=urgent$/);
    await page.reload();
    await expect.poll(() => shown(page), within).toEqual(passing);
    expect((await conditions(page)).join()).toContain("Priority: urgent, none");

    await inCard(page, "Beta", async () => expect(page.url()).toContain("?text=a"));
    await expect.poll(() => shown(page), within).toEqual(passing);
    const board = page.url();
    const window = await openAs(other, board.split("/board/")[1] ?? "");
    await expect.poll(() => shown(window), within).toEqual(passing);

    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await expect.poll(() => shown(page), within).toEqual([cards, [], []]);
    expect(page.url()).not.toContain("?");
  });

  test("opens a board with an address that names what is not there", async () => {
    const { page, boardPublicId } = await withWindow();
    const query = "dueDate=never&priority=&fields.gone=x&labels=gone&rest=1";
    await page.goto(`${service()}/demo#/board/${boardPublicId}?${query}`);
    await page.getByText("The filter hides 5 cards.").waitFor();
    expect(await conditions(page)).toEqual([expect.stringContaining("Labels"), expect.any(String)]);
    await page.getByRole("button", { name: "Show all cards" }).click();
    await expect.poll(() => shown(page), within).toEqual([cards, [], []]);
  });

  test("says in an empty list how many cards the filter hides", async () => {
    const { page, person, boardPublicId } = await withWindow();
    const { lists } = await person.client.board.get({ boardPublicId });
    const listPublicId = lists[1]?.publicId ?? "";
    await person.client.card.create({ listPublicId, title: "Zeta" });
    await cardOf(page, "Zeta").waitFor();
    await page.getByLabel("Filter cards").fill("alpha");
    const list = (name: string) => page.getByRole("region", { name, exact: true });
    await list("Doing").getByText("The filter hides 1 card.").waitFor();
    await page.getByLabel("Filter cards").fill("zeta");
    await list("To do").getByText("The filter hides 5 cards.").waitFor();
    // A list that is empty anyway hides nothing.
    expect(await list("Done").getByText("hides").count()).toBe(0);
  });

  test("shows a view whose layout is a table as a table, and opens its cards", async () => {
    const { page, person, workspacePublicId, cards: ids } = await withWindow();
    const { client } = person;
    const cardPublicId = ids["Beta"] ?? "";
    await client.card.update({ cardPublicId, priority: "high", dueDate: "2027-03-01T12:00:00Z" });
    const view = await client.view.create({
      workspacePublicId,
      name: "Everything",
      scope: "workspace",
      layout: "table",
      groupBy: { field: "priority" },
    });
    await page.getByRole("link", { name: /^Everything/ }).click();
    const table = page.getByRole("table");
    const rows = () => table.getByRole("row").allInnerTexts();
    const beta = async () => (await rows()).find((row) => row.includes("Beta"));
    const expected = /ENG-2\s+Beta\s+To do\s+Priority high\s+Due\s*Mar 1/;
    await expect.poll(beta, within).toMatch(expected);
    // A row of names, of each of two groups, and of each card.
    expect(await rows()).toHaveLength(8);
    expect(await table.getByRole("columnheader").allInnerTexts()).toEqual([
      "Card",
      "Title",
      "List",
      "Priority",
      "Due",
      "Members",
      "Labels",
    ]);
    await table.getByRole("link", { name: "Beta" }).click();
    await page.getByRole("dialog").getByLabel("New comment").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await choose(page, "Menu of the view Everything", "Show as a board");
    await table.waitFor({ state: "detached" });
    await cardOf(page, "Beta").waitFor();
    const stored = async () => (await client.view.list({ workspacePublicId }))[0];
    // The page shows it before the service has it.
    await expect.poll(stored, within).toMatchObject({ publicId: view.publicId, layout: "board" });
  });

  test("shows a card whose texts are as deep and as long as they can be", async () => {
    const { page, person, cards: ids } = await withWindow();
    const cardPublicId = ids["Alpha"] ?? "";
    const deep = ["> ".repeat(4_000), "- ".repeat(4_000), `${"[".repeat(9_000)}a`];
    for (const comment of [...deep, "Still here"]) {
      await person.client.comment.create({ cardPublicId, comment: `${comment}.` });
    }
    await person.client.card.update({ cardPublicId, description: "**a** ".repeat(8_000) });
    await inCard(page, "Alpha", async (dialog) => {
      await dialog.getByText("Still here.").waitFor();
      expect(await dialog.locator(".comment .markdown").count()).toBe(4);
      const rest = dialog.getByText("The rest of this long text").first();
      await rest.click();
      await dialog.locator(".plain", { hasText: "**a**" }).first().waitFor();
    });
    expect(await shown(page)).toEqual([cards, [], []]);
  });

  test("shows a card whose due date is in no year of a calendar", async () => {
    const { page, person, cards: ids } = await withWindow({ timezoneId: "Pacific/Auckland" });
    const cardPublicId = ids["Alpha"] ?? "";
    await person.client.card.update({ cardPublicId, dueDate: "9999-12-31T23:30:00.000Z" });
    await inCard(page, "Alpha", async (dialog) => {
      await dialog.getByLabel("New comment").waitFor();
      expect(await dialog.getByRole("group", { name: "Due" }).innerText()).toContain("9999");
    });
  });

  test("shows everything around a comment that it cannot show", async () => {
    const { page, person, cards: ids } = await withWindow();
    const cardPublicId = ids["Alpha"] ?? "";
    for (const comment of ["First", "Second"]) {
      await person.client.comment.create({ cardPublicId, comment });
    }
    // An answer that no service of this version gives.
    await page.route(/comment\.list/, async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({ response, body: text.replace('"comment":"First"', '"comment":null') });
    });
    const dialog = page.getByRole("dialog");
    await page.getByRole("link", { name: "Alpha", exact: true }).click();
    await dialog.getByText("This comment cannot be shown.").waitFor();
    await dialog.getByText("Second").waitFor();
    await dialog.getByRole("button", { name: "Try again" }).click();
    await dialog.getByText("This comment cannot be shown.").waitFor();
    await dialog.getByLabel("New comment").fill("Third");
    await dialog.getByLabel("New comment").press("Enter");
    await dialog.getByText("Third").waitFor();
    expect(await dialog.locator(".comments > li").count()).toBe(3);
  });

  test("sets a new password with the token of a mail, which leaves the address", async () => {
    const person = await newPerson(service());
    const page = await browser().newPage();
    onTestFinished(() => page.context().close());
    await page.goto(`${service()}/demo`);
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByLabel("Email").fill(person.email);
    await page.getByRole("button", { name: "Send the mail" }).click();
    await page.getByText(`If ${person.email} has an account`).waitFor();
    await page.getByLabel("Token from the mail").fill("a wrong token");
    await page.getByLabel("New password").fill("another password for tests");
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByRole("alert").waitFor();

    const mail = () => smtp.mails.find(({ to }) => to.includes(person.email));
    await expect.poll(mail, within).toBeDefined();
    const link = /https:\/\/boards\.example\.com(\/demo\?token=[^"#\s]+#\/reset-password)/;
    const path = link.exec(mail()?.text ?? "")?.[1];
    expect(path).toBeDefined();
    await page.goto(`${service()}${path}`);
    await page.getByLabel("New password").fill("another password for tests");
    expect(page.url()).toBe(`${service()}/demo#/reset-password`);
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByRole("link", { name: "Sign in with the new password" }).click();
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password").fill("another password for tests");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Workspaces" }).waitFor();
  });

  test("changes the profile: name, picture and time zone", async () => {
    const { page, person } = await withWindow();
    await choose(page, "Account of Ada Brandt", "Profile");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Ada Byron");
    await dialog.getByLabel("Picture").fill("https://images.example.com/ada.png");
    await dialog.getByLabel("Time zone").fill("Europe/Berlin");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Account of Ada Byron" }).waitFor();
    expect(await person.client.user.me()).toMatchObject({
      name: "Ada Byron",
      image: "https://images.example.com/ada.png",
      timeZone: "Europe/Berlin",
    });
    await dialog.getByText("Saved.").waitFor();
    await dialog.getByText("Change the password").first().click();
    await dialog.getByLabel("Current password").fill("a wrong password");
    await dialog.getByLabel("New password").fill("another password for tests");
    await dialog.getByRole("button", { name: "Change the password" }).click();
    await dialog.getByRole("alert").waitFor();
  });

  test("says in notifications what somebody did", async () => {
    const { page, person, workspacePublicId, cards: ids } = await withWindow();
    const { inviteCode } = await person.client.invite.createLink({ workspacePublicId });
    const other = await newPerson(service(), "Ben Osei");
    await other.client.invite.accept({ inviteCode });
    const cardPublicId = ids["Alpha"] ?? "";
    // Who comments on a card watches it.
    await person.client.comment.create({ cardPublicId, comment: "Mine" });
    await other.client.comment.create({ cardPublicId, comment: "Yours" });
    await other.client.card.update({ cardPublicId, isComplete: true });
    await page.getByRole("button", { name: /^Notifications/ }).click();
    await page.getByRole("link", { name: /^Ben Osei commented on Alpha/ }).waitFor();
    await page.getByRole("link", { name: /^Ben Osei completed Alpha/ }).waitFor();
    expect(await page.getByRole("link", { name: /^Ben Osei changed/ }).count()).toBe(0);
  });

  test("adds a list without scrolling, and shows it", async () => {
    const { page, person, boardPublicId } = await withWindow();
    for (const name of ["Four", "Five", "Six", "Seven"]) {
      await person.client.list.create({ boardPublicId, name });
    }
    await page.getByRole("region", { name: "Seven" }).waitFor();
    await page.getByRole("button", { name: "New list" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Eight");
    await page.keyboard.press("Enter");
    const list = page.getByRole("region", { name: "Eight" });
    await list.waitFor();
    const inView = async () => {
      const box = await list.boundingBox();
      return box !== null && box.x >= 0 && box.x + box.width <= 1280;
    };
    await expect.poll(inView, within).toBe(true);
    // The page shows it before the service has it.
    const last = async () => (await person.client.board.get({ boardPublicId })).lists.at(-1)?.name;
    await expect.poll(last, within).toBe("Eight");
  });

  test("gives each person a colour, which is the same on a tile and in a comment", async () => {
    const { page, person, workspacePublicId, cards: ids } = await withWindow();
    const { memberPublicId } = await person.client.workspace.get({ workspacePublicId });
    const cardPublicId = ids["Alpha"] ?? "";
    await person.client.card.addMember({ cardPublicId, memberPublicId: memberPublicId ?? "" });
    await person.client.comment.create({ cardPublicId, comment: "Mine" });
    const hue = (selector: string) =>
      page.evaluate<string>(
        `document.querySelector("${selector}")?.className.match(/hue-\\d+/)?.[0] ?? ""`,
      );
    await expect.poll(() => hue(".card .avatar"), within).toMatch(/^hue-/);
    const onTile = await hue(".card .avatar");
    await inCard(page, "Alpha", async (dialog) => {
      await dialog.getByText("Mine").waitFor();
      expect(await hue(".comments .avatar")).toBe(onTile);
      await dialog.getByText("Activity").click();
      await dialog.locator(".activity .avatar").first().waitFor();
      await expect.poll(() => hue(".activity .avatar"), within).toBe(onTile);
    });
  });
});
