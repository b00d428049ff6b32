import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Request, Route } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { startBuilt } from "../crash/service-process.ts";
import { png } from "../domain/attachments/files.ts";
import { freshDatabase } from "../support/database.ts";
import { freePort } from "../support/listen.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import {
  cardOf,
  drag,
  inCard,
  newBoard,
  newPerson,
  openWindow,
  pick,
  reported,
  requested,
  signOut,
  shown,
  useBrowser,
  stored,
  storedInBrowser,
  type,
  typeDate,
} from "./demo-window.ts";
import { useService } from "./service.ts";

const service = useService();
const browser = useBrowser();

const within = { timeout: 60_000, interval: 25 };

/** One user with a board, in one window or in two. */
async function withBoard(url = service()) {
  const person = await newPerson(url);
  const board = await newBoard(person);
  const open = async () => {
    const page = await openWindow(browser(), url, person, board.boardPublicId);
    onTestFinished(() => page.context().close());
    return page;
  };
  return { person, ...board, open, inService: () => stored(person, board.boardPublicId) };
}

/** Cuts a window off from the API; the page itself still loads. The result ends it. */
async function cutOff(page: Page) {
  const blocked = /\/(?:trpc|api\/v1)\//;
  await page.context().route(blocked, (route) => route.abort("connectionrefused"));
  return () => page.context().unroute(blocked);
}

describe("in Chromium, the demo", () => {
  test("is served locally, with a strict Content-Security-Policy", async () => {
    const response = await fetch(`${service()}/demo/`);
    expect([response.status, response.url]).toEqual([200, `${service()}/demo`]);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe/);
  });

  test("signs up, and makes a workspace, a board and a card", async () => {
    const page = await browser().newPage();
    await page.goto(`${service()}/demo`);
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByLabel("Name").fill("Grace");
    await page.getByLabel("Email").fill("grace@example.com");
    await page.getByLabel("Password").fill("a password for tests");
    await page.getByRole("button", { name: "Create an account" }).click();
    const add = async (label: string, text: string) => {
      await page.getByLabel(label).fill(text);
      await page.getByLabel(label).press("Enter");
    };
    await add("New workspace", "Compilers");
    await add("New board", "Parser");
    await add("New card in To do", "Read tokens");
    await cardOf(page, "Read tokens").waitFor();
    await signOut(page);
    await page.getByLabel("Email").waitFor();
    await expect.poll(() => storedInBrowser(page)).not.toContain("Read tokens");
    await page.context().close();
  });

  test("shows a card that is dragged in one window in the other", async () => {
    const { open, inService } = await withBoard();
    const [one, two] = [await open(), await open()];
    await drag(one, "Beta", "Doing");
    const start = performance.now();
    const expected = [["Alpha", "Gamma", "Delta", "Epsilon"], ["Beta"], []];
    expect(await shown(one)).toEqual(expected);
    await expect.poll(() => shown(two), within).toEqual(expected);
    const latency = Math.round(performance.now() - start);
    process.stdout.write(`A dragged card is in the other window after ${latency} ms.\n`);
    await expect.poll(inService, within).toEqual(expected);
    await two.locator(".flash").waitFor({ state: "detached" });
    await one.getByRole("button", { name: "Undo" }).click();
    await expect
      .poll(() => shown(two), within)
      .toEqual([["Alpha", "Beta", "Gamma", "Delta", "Epsilon"], [], []]);
  });

  test("moves cards by keyboard, with the focus", async () => {
    const { open, inService } = await withBoard();
    const page = await open();
    const link = page.getByRole("link", { name: "Alpha", exact: true });
    await link.focus();
    await link.press("Alt+ArrowDown");
    await link.press("Alt+ArrowRight");
    await link.press("Alt+ArrowRight");
    const expected = [["Beta", "Gamma", "Delta", "Epsilon"], [], ["Alpha"]];
    await expect.poll(inService, within).toEqual(expected);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Alpha");
    await page.keyboard.press("Control+z");
    await expect.poll(() => shown(page), within).toEqual([expected[0], ["Alpha"], []]);
  });

  test("changes a card, and shows its image", async () => {
    const { open, person, cards } = await withBoard();
    const page = await open();
    await inCard(page, "Alpha", async (dialog) => {
      await dialog.getByLabel("Description").fill("All of it");
      await dialog.getByLabel("Description").blur();
      await pick(dialog, "Labels", "Urgent");
      await pick(dialog, "Members", "Ada Brandt");
      await dialog.getByRole("checkbox", { name: "First step" }).check();
      await typeDate(dialog, "03012027");
      await dialog.getByLabel("New comment").fill("Looks right");
      await dialog.getByLabel("New comment").press("Enter");
      const file = { name: "tree.png", mimeType: "image/png", buffer: png };
      await dialog.getByLabel("Add a file").setInputFiles(file);
      const width = `document.querySelector(".files img")?.naturalWidth`;
      await expect.poll(() => page.evaluate(width), within).toBe(1);
    });
    const cardPublicId = cards["Alpha"] ?? "";
    await expect
      .poll(() => person.client.card.get({ cardPublicId }), within)
      .toMatchObject({
        description: "All of it",
        dueDate: "2027-03-01T00:00:00.000Z",
        isDueAllDay: true,
        labels: [{ name: "Urgent" }],
        members: [{ name: "Ada Brandt" }],
        checklists: [{ items: [{ completed: true }] }],
        attachments: [{ filename: "tree.png" }],
        commentCount: 1,
      });
  });

  test("finds cards on the board and in the workspace", async () => {
    const { open } = await withBoard();
    const page = await open();
    await page.getByLabel("Filter cards").fill("gam");
    await expect.poll(() => shown(page), within).toEqual([["Gamma"], [], []]);
    await page.getByRole("link", { name: "Boards" }).click();
    await page.getByLabel("Search in Engines").fill("Delta");
    await page.getByRole("link", { name: "Delta" }).click();
    await page.getByRole("dialog").getByLabel("Title").waitFor();
  });

  test("sends the changes of an offline window when it returns, and shows what was refused", async () => {
    const { open, person, cards, inService } = await withBoard();
    const [one, two] = [await open(), await open()];
    await one.context().setOffline(true);
    await one.getByText("Offline.").waitFor();
    const status = () => one.getByRole("status").allTextContents();
    const unsent = async (text: string) => {
      await expect.poll(status, within).toContainEqual(`Offline. ${text}.`);
    };
    await drag(one, "Beta", "Doing");
    await unsent("1 unsent change");
    await drag(one, "Gamma", "Done");
    await unsent("2 unsent changes");
    await type(one.getByLabel("New card in To do"), "Zeta");
    await one.getByLabel("New card in To do").press("Enter");
    await unsent("3 unsent changes");
    const rename = (page: Page, title: string, next: string) =>
      inCard(page, title, async (dialog) => {
        await type(dialog.getByLabel("Title"), next);
        await dialog.getByLabel("Title").blur();
      });
    await rename(one, "Delta", "Delta by one");
    await unsent("4 unsent changes");
    await rename(one, "Epsilon", "Epsilon by one");
    await unsent("5 unsent changes");

    await drag(two, "Beta", "Done");
    await rename(two, "Delta", "Delta by two");
    await person.client.card.delete({ cardPublicId: cards["Epsilon"] ?? "" });
    await expect
      .poll(inService, within)
      .toEqual([["Alpha", "Gamma", "Delta by two"], [], ["Beta"]]);

    await one.context().setOffline(false);
    const expected = [["Alpha", "Delta by one", "Zeta"], ["Beta"], ["Gamma"]];
    await expect.poll(inService, within).toEqual(expected);
    await expect.poll(() => shown(one), within).toEqual(expected);
    await expect.poll(() => shown(two), within).toEqual(expected);
    const refused = one.getByRole("alert");
    expect(await refused.textContent()).toContain("card not saved");
    await refused.getByRole("button", { name: "Discard" }).click();
    await refused.waitFor({ state: "detached" });
  });

  test("shows that it is offline when events do not arrive, and that it is online again", async () => {
    const { open } = await withBoard();
    const one = await open();
    const address = one.url();
    const page = await one.context().newPage();
    // It would pass on what its own stream receives.
    await one.close();
    const held: Route[] = [];
    let streams = 0;
    // The first stream ends after its start, and the next one does not begin.
    await page.route(/\/stream\?/, async (route) => {
      const ended = { contentType: "text/event-stream", body: "event: ready\ndata: {}\n\n" };
      if (streams++ === 0) await route.fulfill(ended);
      else held.push(route);
    });
    await page.goto(address);
    await cardOf(page, "Alpha").waitFor();
    await page.getByText("Offline.").waitFor();
    expect(held).not.toEqual([]);
    for (const route of held) await route.continue();
    await page.getByText("Offline.").waitFor({ state: "detached" });
  });

  test("loses no change that a reload interrupts", async () => {
    const { open, inService } = await withBoard();
    const page = await open();
    await expect.poll(() => storedInBrowser(page), within).toContain("Alpha");
    const connect = await cutOff(page);
    await page.reload();
    await cardOf(page, "Alpha").waitFor();
    await drag(page, "Alpha", "Doing");
    for (const title of ["Zeta", "Eta"]) {
      await type(page.getByLabel("New card in Done"), title);
      await page.getByLabel("New card in Done").press("Enter");
    }
    const expected = [["Beta", "Gamma", "Delta", "Epsilon"], ["Alpha"], ["Zeta", "Eta"]];
    await expect.poll(() => shown(page), within).toEqual(expected);
    await page.reload();
    await expect.poll(() => shown(page), within).toEqual(expected);
    expect(await inService()).not.toEqual(expected);
    await connect();
    await expect.poll(inService, within).toEqual(expected);
    expect(await shown(page)).toEqual(expected);
  });

  test("recovers when the service is killed during drags", async () => {
    const database = await freshDatabase();
    const dataDir = await temporaryDirectory();
    const env = { DATABASE_URL: database.url, PORT: String(await freePort()), LOG_LEVEL: "error" };
    const killed = await startBuilt(dataDir, env);
    const { open, inService } = await withBoard(killed.url);
    const page = await open();
    await drag(page, "Alpha", "Doing");
    await drag(page, "Beta", "Doing");
    killed.kill();
    await drag(page, "Gamma", "Done");
    await drag(page, "Alpha", "Done");
    await killed.ended;
    const again = await startBuilt(dataDir, env);
    const expected = await shown(page);
    expect(expected[0]).toEqual(["Delta", "Epsilon"]);
    await expect.poll(inService, within).toEqual(expected);
    await page.getByText("Offline.").waitFor({ state: "detached" });
    await page.context().close();
    again.kill("SIGTERM");
    await again.ended;
    await database.drop();
  });

  test("removes a board from window and browser when its access ends", async () => {
    const { person, workspacePublicId, boardPublicId } = await withBoard();
    const { client } = person;
    const member = await newPerson(service(), "Ben Osei");
    const { inviteCode } = await client.invite.createLink({ workspacePublicId });
    const { memberPublicId } = await member.client.invite.accept({ inviteCode });
    await client.board.update({ boardPublicId, visibility: "restricted" });
    await client.board.addMember({ boardPublicId, memberPublicId });
    const page = await openWindow(browser(), service(), member, boardPublicId);
    await expect.poll(() => storedInBrowser(page), within).toContain("Gamma");
    await client.board.removeMember({ boardPublicId, memberPublicId });
    const start = performance.now();
    await page.getByRole("alert").waitFor();
    process.stdout.write(`The board is gone after ${Math.round(performance.now() - start)} ms.\n`);
    expect(await page.locator(".card").count()).toBe(0);
    await expect.poll(() => storedInBrowser(page), within).not.toMatch(/Gamma|Website/);
  });

  test("sends the unsent changes of a session that was ended in the next one", async () => {
    const { open, person, inService } = await withBoard();
    const page = await open();
    const connect = await cutOff(page);
    await drag(page, "Alpha", "Doing");
    const { auth } = person.client;
    for (const { publicId: sessionPublicId, isCurrent } of await auth.sessions()) {
      if (!isCurrent) await auth.revokeSession({ sessionPublicId });
    }
    await connect();
    await page.getByLabel("Email").fill(person.email, within);
    await page.getByLabel("Password").fill("a password for tests");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    const expected = [["Beta", "Gamma", "Delta", "Epsilon"], ["Alpha"], []];
    await expect.poll(inService, within).toEqual(expected);
  });

  test("leaves the boards in all tabs of a user who signs out", async () => {
    const { open } = await withBoard();
    const one = await open();
    const two = await one.context().newPage();
    await two.goto(one.url());
    await cardOf(two, "Alpha").waitFor();
    await signOut(one);
    await two.getByLabel("Email").waitFor();
    expect(await two.locator(".card").count()).toBe(0);
  });

  test("follows a workspace and its user over one connection each for all tabs, more than HTTP/1.1 has", async () => {
    const { open, person, cards } = await withBoard();
    const one = await open();
    const rename = (title: string) =>
      person.client.card.update({ cardPublicId: cards["Alpha"] ?? "", title });
    await rename("Alpha two");
    await cardOf(one, "Alpha two").waitFor();
    // A stream may be opened again, from an earlier event: those that are open count.
    const streams = new Set<Request>();
    one.context().on("request", (request) => {
      if (request.url().includes("/events/stream")) streams.add(request);
    });
    one.context().on("requestfinished", (request) => streams.delete(request));
    one.context().on("requestfailed", (request) => streams.delete(request));
    const streamsOf = (pages: Page[]) =>
      [...streams].filter((request) => pages.includes(request.frame().page())).length;
    await one.reload();
    await cardOf(one, "Alpha two").waitFor();
    await expect.poll(() => streamsOf([one]), { timeout: 20_000 }).toBe(2);
    const others: Page[] = [];
    for (let tab = 2; tab <= 8; tab++) {
      const page = await one.context().newPage();
      await page.goto(one.url());
      await cardOf(page, "Alpha two").waitFor();
      others.push(page);
    }
    await rename("In all tabs");
    for (const page of [one, ...others]) await cardOf(page, "In all tabs").waitFor();
    await expect.poll(() => streamsOf([one, ...others]), { timeout: 20_000 }).toBe(2);

    await one.close();
    await rename("In the others");
    for (const page of others) await cardOf(page, "In the others").waitFor();
    await expect.poll(() => streamsOf(others), { timeout: 20_000 }).toBe(2);
  });

  test("offers the sign-in when the browser has lost the session", async () => {
    const { open } = await withBoard();
    const page = await open();
    // Before the next page starts: a running page that misses its session signs the user out.
    await page.addInitScript(`for (const key of Object.keys(localStorage))
      if (key.endsWith(" session")) localStorage.removeItem(key);`);
    await page.reload();
    await page.getByRole("button", { name: "Sign in again" }).click();
    await page.getByLabel("Email").waitFor();
    expect(await page.locator(".card").count()).toBe(0);
  });

  test("saves a text that Back interrupts, also while others change the card", async () => {
    const { open, person, cards } = await withBoard();
    const page = await open();
    const cardPublicId = cards["Alpha"] ?? "";
    await page.getByRole("link", { name: "Alpha", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await type(dialog.getByLabel("Description"), "Half a sentence");
    await person.client.card.update({ cardPublicId, title: "Alef", description: "By another" });
    await expect.poll(() => dialog.getByLabel("Title").inputValue(), within).toBe("Alef");
    expect(await dialog.getByLabel("Description").inputValue()).toBe("Half a sentence");
    await page.goBack();
    await dialog.waitFor({ state: "detached" });
    const description = async () => (await person.client.card.get({ cardPublicId })).description;
    await expect.poll(description, within).toBe("Half a sentence");
    await inCard(page, "Beta", async () => undefined);
    await page.goBack();
    expect(page.url()).not.toContain(cards["Beta"]);
  });

  test("writes a typed date once, as the day of the user's time zone", async () => {
    const { person, boardPublicId, cards } = await withBoard();
    const options = { timezoneId: "Pacific/Auckland", locale: "en-US" };
    const page = await openWindow(browser(), service(), person, boardPublicId, options);
    onTestFinished(() => page.context().close());
    const writes: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("card.update")) writes.push(request.url());
    });
    await inCard(page, "Alpha", async (dialog) => {
      await typeDate(dialog, "03012027");
      expect(await dialog.getByRole("group", { name: "Due" }).textContent()).toContain("3/1/2027");
    });
    const cardPublicId = cards["Alpha"] ?? "";
    const due = async () => (await person.client.card.get({ cardPublicId })).dueDate;
    await expect.poll(due, within).toBe("2027-03-01T00:00:00.000Z");
    expect(await cardOf(page, "Alpha").locator("time").textContent()).toContain("Mar 1");
    expect(writes).toHaveLength(1);
  });

  test("shows who works on a card, also one that another person claims meanwhile", async () => {
    const { open, person, cards } = await withBoard();
    const page = await open();
    const claim = cardOf(page, "Alpha").locator(".claim");
    expect(await claim.count()).toBe(0);
    await person.client.card.claim({ cardPublicId: cards["Alpha"] ?? "", minutes: 30 });
    await claim.waitFor();
    expect(await claim.textContent()).toMatch(/^Claimed by \S/);
    await person.client.card.releaseClaim({ cardPublicId: cards["Alpha"] ?? "" });
    await claim.waitFor({ state: "detached" });
  });

  test("opens a file by a URL that is still valid", async () => {
    const { open } = await withBoard();
    const page = await open();
    await page.getByRole("link", { name: "Alpha", exact: true }).click();
    const dialog = page.getByRole("dialog");
    const file = { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("A note") };
    await dialog.getByLabel("Add a file").setInputFiles(file);
    await dialog.locator(".files a[href]").waitFor();
    await page.clock.setSystemTime(Date.now() + 6 * 60_000);
    const signed = page.waitForRequest(/attachment\.fileUrl/);
    const downloaded = page.waitForEvent("download");
    await dialog.getByRole("link", { name: "note.txt" }).click();
    await signed;
    expect((await downloaded).suggestedFilename()).toBe("note.txt");
  });

  test("announces a drag by the titles of card and list", async () => {
    const { open } = await withBoard();
    const page = await open();
    await drag(page, "Beta", "Doing");
    const liveText = () => page.locator("[id^=DndLiveRegion]").textContent();
    await expect.poll(liveText, within).toBe("Beta was dropped.");
  });

  test("shows all boards of a workspace", async () => {
    const { open, person, workspacePublicId } = await withBoard();
    for (let nth = 0; nth < 50; nth++) {
      await person.client.board.create({ workspacePublicId, name: `Board ${nth}` });
    }
    const page = await open();
    await page.getByRole("link", { name: "Boards", exact: true }).click();
    await expect.poll(() => page.locator(".tiles a").count(), within).toBe(51);
  });

  test("works where the browser blocks storage", async () => {
    const person = await newPerson(service());
    const context = await browser().newContext();
    onTestFinished(() => context.close());
    await context.addInitScript(`Object.defineProperty(window, "localStorage", {
      get() { throw new DOMException("Storage is blocked.", "SecurityError"); },
    })`);
    const page = await context.newPage();
    await page.goto(`${service()}/demo`);
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password").fill("a password for tests");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Workspaces" }).waitFor();
    const account = page.getByRole("button", { name: `Account of ${person.name}` });
    expect(await account.isVisible()).toBe(true);
  });

  test.each([
    ["desktop", {}],
    ["dark", { colorScheme: "dark" as const }],
    ["phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
  ])("fits the %s, in pictures", async (name, options) => {
    const { person, boardPublicId } = await withBoard();
    const page = await openWindow(browser(), service(), person, boardPublicId, options);
    const folder = process.env["SCREENSHOTS"] ?? (await temporaryDirectory());
    await mkdir(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}-board.png`) });
    await page.getByRole("link", { name: "Alpha", exact: true }).click();
    await page.getByRole("dialog").getByLabel("New comment").waitFor();
    await page.screenshot({ path: join(folder, `${name}-card.png`) });
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(width).toBe(page.viewportSize()?.width);
  });

  test("contacts only its service, without console errors", () => {
    const elsewhere = requested.filter(
      (url) => !/^(?:data:|blob:|http:\/\/127\.0\.0\.1:)/.test(url),
    );
    expect(elsewhere).toEqual([]);
    // Chromium reports each failed request, which the tests cause.
    expect(reported.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([]);
  });
});
