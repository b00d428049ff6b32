import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  choose,
  inCard,
  newBoard,
  newPerson,
  openWindow,
  pick,
  shown,
  smallTargets,
  useBrowser,
  storedInBrowser,
  typeDate,
  type Person,
} from "./demo-window.ts";
import { useService } from "./service.ts";

const service = useService();
const browser = useBrowser();

const within = { timeout: 60_000, interval: 25 };
const cards = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"];

async function openAs(person: Person, board: string, options: BrowserContextOptions = {}) {
  const page = await openWindow(browser(), service(), person, board, options);
  onTestFinished(() => page.context().close());
  return page;
}

/** A user with a board in a window. */
async function withWindow(options: BrowserContextOptions = {}) {
  const person = await newPerson(service());
  const made = await newBoard(person);
  return { person, ...made, page: await openAs(person, made.boardPublicId, options) };
}

/** Another member of a workspace. */
async function withMember({ client }: Person, workspacePublicId: string, name: string) {
  const member = await newPerson(service(), name);
  const { inviteCode } = await client.invite.createLink({ workspacePublicId });
  await member.client.invite.accept({ inviteCode });
  return member;
}

const lists = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll(".list")].map((list) =>
    list.getAttribute("aria-label"))`);
const nameIn = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });
const close = (page: Page) =>
  page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
const closed = (page: Page) => page.getByRole("dialog").waitFor({ state: "detached" });

describe("in Chromium, the demo", () => {
  test("renames, moves, archives and deletes lists, and brings them back", async () => {
    const { page } = await withWindow();
    await choose(page, "Menu of Doing", "Rename");
    await nameIn(page).fill("Now");
    await page.getByRole("button", { name: "Save" }).click();
    await choose(page, "Menu of Now", "Move right");
    await expect.poll(() => lists(page), within).toEqual(["To do", "Done", "Now"]);
    await choose(page, "Menu of Now", "Archive");
    await expect.poll(() => lists(page), within).toEqual(["To do", "Done"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => lists(page), within).toEqual(["To do", "Done", "Now"]);
    await choose(page, "Menu of To do", "Delete");
    await expect.poll(() => lists(page), within).toEqual(["Done", "Now"]);
    await choose(page, "Board menu", "Archive and trash");
    await page.getByRole("button", { name: "Bring To do back" }).click();
    await expect.poll(() => lists(page), within).toEqual(["To do", "Done", "Now"]);
    await close(page);
    await closed(page);
    expect(await shown(page)).toEqual([cards, [], []]);
  });

  test("renames a board, and makes, changes and deletes its labels", async () => {
    const { page, person, boardPublicId } = await withWindow();
    await choose(page, "Board menu", "Rename the board");
    await nameIn(page).fill("Shop");
    await nameIn(page).press("Enter");
    await page.getByRole("heading", { name: "Shop" }).waitFor();
    await choose(page, "Board menu", "Edit labels");
    await page.getByLabel("Name of the new label").fill("Later");
    await page.getByLabel("Green").last().check();
    await page.getByRole("button", { name: "Add the label" }).click();
    await page.getByRole("button", { name: "Edit Later" }).click();
    await page.getByLabel("Name of Later").fill("Someday");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Delete Urgent" }).click();
    await page.getByRole("button", { name: "Delete from all cards" }).click();
    const labels = () => person.client.label.list({ boardPublicId });
    await expect.poll(labels, within).toMatchObject([{ name: "Someday", colourCode: "#16a34a" }]);
    expect((await person.client.board.get({ boardPublicId })).name).toBe("Shop");
  });

  test("shows Markdown, and runs and loads nothing of it", async () => {
    const { page } = await withWindow();
    const text = [
      "**bold** <img src=x onerror=alert(1)> <script>alert(2)</script>",
      "- [link](javascript:alert(3))",
      "- ![picture](https://example.com/a.png)",
      "- [site](https://example.com)",
    ].join("\n");
    await inCard(page, "Alpha", async (dialog) => {
      await dialog.getByLabel("Description").fill(text);
      await dialog.getByLabel("Description").blur();
      const markdown = dialog.locator(".markdown");
      await markdown.locator("strong", { hasText: "bold" }).waitFor();
      const dangerous = "script, img, [onerror], [style], a[href^='javascript:']";
      expect(await markdown.locator(dangerous).count()).toBe(0);
      const site = markdown.getByRole("link", { name: "site" });
      expect(await site.getAttribute("rel")).toBe("noopener noreferrer");
      await dialog.getByRole("button", { name: "Edit", exact: true }).click();
      expect(await dialog.getByLabel("Description").inputValue()).toBe(text);
    });
  });

  test("edits and deletes comments", async () => {
    const { page, person, cards: ids } = await withWindow();
    await inCard(page, "Alpha", async (dialog) => {
      await dialog.getByLabel("New comment").fill("Looks *wrong*");
      await dialog.getByLabel("New comment").press("Enter");
      await dialog.locator("em", { hasText: "wrong" }).waitFor();
      await choose(page, "Menu of the comment by Ada Brandt", "Edit");
      await dialog.getByLabel("Comment", { exact: true }).fill("Looks *right*");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.locator("em", { hasText: "right" }).waitFor();
      const comments = async () => {
        const { items } = await person.client.comment.list({ cardPublicId: ids["Alpha"] ?? "" });
        return items.map(({ comment }) => comment);
      };
      await expect.poll(comments, within).toEqual(["Looks *right*"]);
      await choose(page, "Menu of the comment by Ada Brandt", "Delete");
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
      await expect.poll(comments, within).toEqual([]);
    });
  });

  test("archives and deletes cards, and brings them back", async () => {
    const { page } = await withWindow();
    const leave = async (title: string, entry: string) => {
      await page.getByRole("link", { name: title, exact: true }).click();
      await page.getByRole("dialog").getByLabel("New comment").waitFor();
      await choose(page, "Card menu", entry);
      await closed(page);
    };
    await leave("Alpha", "Archive the card");
    await leave("Beta", "Delete the card");
    await expect.poll(() => shown(page), within).toEqual([cards.slice(2), [], []]);
    await choose(page, "Board menu", "Archive and trash");
    await page.getByRole("button", { name: "Bring Alpha back" }).click();
    await page.getByRole("button", { name: "Bring Beta back" }).click();
    await expect.poll(() => shown(page), within).toEqual([cards, [], []]);
  });

  test("archives and deletes boards, and brings them back", async () => {
    const { page } = await withWindow();
    const tile = page.getByRole("link", { name: /^Website/ });
    for (const entry of ["Archive the board", "Delete the board"]) {
      await choose(page, "Board menu", entry);
      await page.getByRole("heading", { name: "Workspaces" }).waitFor();
      await choose(page, "Menu of Engines", "Archive and trash");
      await page.getByRole("button", { name: "Bring Website back" }).click();
      await page.getByRole("button", { name: "Bring Website back" }).waitFor({ state: "detached" });
      await close(page);
      await tile.click();
      await expect.poll(() => lists(page), within).toEqual(["To do", "Doing", "Done"]);
    }
  });

  test("invites members, changes their roles, and removes them", async () => {
    const { page, person, workspacePublicId } = await withWindow();
    const guest = await newPerson(service(), "Ben Osei");
    await page.getByRole("button", { name: "Members" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("tab", { name: "Invite" }).click();
    await dialog.getByLabel("Email").fill("cleo@example.com");
    await dialog.getByRole("button", { name: "Invite", exact: true }).click();
    await dialog.getByText("cleo@example.com is invited.").waitFor();
    await dialog.getByRole("button", { name: "Create a link" }).click();
    const link = await dialog.getByRole("textbox", { name: "Invite link" }).inputValue();
    await dialog.getByRole("tab", { name: "Roles" }).click();
    await dialog.getByLabel("New role").fill("Tester");
    await dialog.getByLabel("New role").press("Enter");
    const permission = dialog
      .getByRole("group", { name: "Permissions of Tester" })
      .getByLabel("card:edit");
    await permission.click();
    await expect.poll(() => permission.isChecked(), within).toBe(true);

    await joinBy(link, guest);

    await dialog.getByRole("tab", { name: "Members" }).click();
    await pick(dialog, "Role of Ben Osei", "Tester");
    const members = async () => {
      const { items } = await person.client.member.list({ workspacePublicId });
      return items.map(({ name, role, status }) => `${name} ${role} ${status}`);
    };
    await expect.poll(members, within).toContain("Ben Osei Tester active");
    await dialog.getByRole("button", { name: "Remove Ben Osei" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await expect.poll(members, within).not.toContain("Ben Osei Tester active");
    await dialog.getByRole("button", { name: /^Role of Ben Osei/ }).waitFor({ state: "detached" });
  });

  test("notifies a member of an assignment, and shows the activity", async () => {
    const { page, person, workspacePublicId, boardPublicId } = await withWindow();
    const member = await withMember(person, workspacePublicId, "Ben Osei");
    const other = await openAs(member, boardPublicId);
    await inCard(page, "Alpha", (dialog) => pick(dialog, "Members", "Ben Osei"));
    await other.getByRole("button", { name: "Notifications: 1 unread" }).click();
    await other.getByRole("link", { name: /Ada Brandt assigned you to Alpha/ }).click();
    await other.getByRole("dialog").getByLabel("Title").waitFor();
    await close(other);
    await other.getByRole("button", { name: "Notifications: 0 unread" }).waitFor();
    await other.getByRole("button", { name: "Activity" }).click();
    await other.getByRole("listitem").filter({ hasText: "assigned someone to Alpha" }).waitFor();
    await inCard(page, "Beta", (dialog) => dialog.getByLabel("Complete").check());
    const activity = () => other.getByRole("dialog").textContent();
    await expect.poll(activity, within).toContain("Ada Brandt completed Beta");
  });

  test("filters by label, member and due date, with counts, and hints at a hidden card", async () => {
    const { page, person, cards: ids, boardPublicId } = await withWindow();
    const [label] = await person.client.label.list({ boardPublicId });
    await person.client.card.addLabel({
      cardPublicId: ids["Beta"] ?? "",
      labelPublicId: label?.publicId ?? "",
    });
    await inCard(page, "Gamma", async (dialog) => {
      await pick(dialog, "Members", "Ada Brandt");
      await typeDate(dialog, "01022020");
    });
    const filter = (menu: string, entry: string) => pick(page.getByRole("search"), menu, entry);
    const clear = () => page.getByRole("button", { name: "Clear", exact: true }).click();
    await filter("Labels", "Urgent");
    await expect.poll(() => shown(page), within).toEqual([["Beta"], [], []]);
    await page.getByRole("heading", { name: "To do 1 of 5" }).waitFor();
    await page.getByLabel("New card in To do").fill("Zeta");
    await page.getByLabel("New card in To do").press("Enter");
    await page.getByText("The filter hides the new card.").waitFor();
    await page.getByRole("heading", { name: "To do 1 of 6" }).waitFor();
    await page.getByRole("button", { name: "Show all cards" }).click();
    await expect.poll(() => shown(page), within).toEqual([[...cards, "Zeta"], [], []]);
    await filter("Members", "Ada Brandt");
    await expect.poll(() => shown(page), within).toEqual([["Gamma"], [], []]);
    await clear();
    await filter("Due", "Overdue");
    await expect.poll(() => shown(page), within).toEqual([["Gamma"], [], []]);
  });

  test("opens after a reload offline, with what was seen, and sends what was changed", async () => {
    const { page, person, boardPublicId } = await withWindow();
    await page.getByRole("link", { name: "Boards" }).click();
    await page.getByRole("link", { name: /^Website/ }).click();
    await expect.poll(() => storedInBrowser(page), within).toContain("Alpha");
    await expect.poll(() => storedInBrowser(page), within).toContain("workspaces");
    await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
    await page.context().setOffline(true);
    await page.reload();
    await expect.poll(() => shown(page), within).toEqual([cards, [], []]);
    await page.getByLabel("New card in Done").fill("Offline");
    await page.getByLabel("New card in Done").press("Enter");
    await page.getByRole("link", { name: "Boards" }).click();
    await page.getByRole("link", { name: /^Website/ }).waitFor();
    await page.context().setOffline(false);
    const done = async () =>
      (await person.client.board.get({ boardPublicId })).lists[2]?.cards.map(({ title }) => title);
    await expect.poll(done, within).toEqual(["Offline"]);
  });

  test("has targets of 44 px on a phone", async () => {
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const { page } = await withWindow(phone);
    expect(await smallTargets(page)).toEqual([]);
    await page.getByRole("button", { name: "Board menu" }).click();
    expect(await smallTargets(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Alpha", exact: true }).click();
    await page.getByRole("dialog").getByLabel("New comment").waitFor();
    expect(await smallTargets(page)).toEqual([]);
  });
});

/** Signs in at an invite link, and joins. */
async function joinBy(link: string, { email }: Person): Promise<void> {
  const page = await browser().newPage();
  await page.goto(link);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("a password for tests");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Join the workspace" }).click();
  await page.getByRole("region", { name: "Engines" }).waitFor();
  await page.context().close();
}
