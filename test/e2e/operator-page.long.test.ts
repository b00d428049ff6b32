import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { putImport } from "../kernel/access/fixtures.ts";
import { useApp, type App } from "../support/app.ts";
import { as } from "../support/as.ts";
import { deliverDue } from "../support/deliveries.ts";
import { listen } from "../support/listen.ts";
import { makeBoard, makeCard, makeUser, makeWorkspace } from "../support/make.ts";
import { insertJob, makeOperator, withoutAdmins } from "../support/operator.ts";
import { startReceiver } from "../support/receiver.ts";
import { findings, storedInBrowser, useBrowser } from "./demo-window.ts";

const ADMIN_KEY = "the key of the operator";
const password = "a password for tests";
const injected = `<img src=x onerror="document.title='broken'">`;
const env = {
  ADMIN_KEY,
  NODE_ENV: "production",
  APP_URL: "https://boards.example.com",
  WEBHOOK_ALLOW_HTTP: "true",
  WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8",
};
const app = useApp({ env, isolated: true });
const strict = useApp({ env: { ...env, RATE_LIMIT: "40" }, isolated: true });
const browser = useBrowser();
const servers: { url: string; close: () => Promise<void> }[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  for (const { fetch } of [app(), strict()]) servers.push(await listen(fetch));
});
afterAll(async () => {
  for (const { close } of servers) await close();
});

const urlOf = (nth = 0) => `${servers[nth]?.url}/operator`;
const rest = () => as(app()).rest;
const headers = { "X-Admin-Key": ADMIN_KEY };
const read = async (path: string) => (await rest().get(`/operator${path}`, { headers })).body;

async function openPage(options: BrowserContextOptions = {}, nth = 0): Promise<Page> {
  const page = await browser().newPage(options);
  onTestFinished(() => page.context().close());
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => {
    // A browser reports each refused call too.
    if (!message.text().startsWith("Failed to load resource")) complaints.push(message.text());
  });
  await page.goto(urlOf(nth));
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  return page;
}

const signIn = async (page: Page, email: string, secret = password) => {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(secret);
  await page.getByRole("button", { name: "Sign in" }).click();
};

/** Opens the page with the key, at a section. */
async function openAt(section: string, options: BrowserContextOptions = {}, nth = 0) {
  const page = await openPage(options, nth);
  await page.getByLabel("ADMIN_KEY").fill(ADMIN_KEY);
  await page.getByRole("button", { name: "Use the key" }).click();
  await heading(page, "Users");
  if (section !== "Users") await page.getByRole("link", { name: section, exact: true }).click();
  await heading(page, section);
  return page;
}

const heading = (page: Page, name: string) =>
  page.getByRole("heading", { name, level: 1, exact: true }).waitFor();
const says = (page: Page, text: string | RegExp) =>
  page.getByRole("status").filter({ hasText: text }).first().waitFor();
const tableOf = (page: Page, name: string) => page.getByRole("table", { name });
const dialogOf = (page: Page) => page.getByRole("dialog");

/** The texts of the rows of a table. */
const rowsOf = async (page: Page, name: string) => {
  await tableOf(page, name).locator("tbody tr").first().waitFor();
  return tableOf(page, name).locator("tbody tr").allTextContents();
};

async function find(page: Page, text: string) {
  await page.getByRole("searchbox").fill(text);
  await page.keyboard.press("Enter");
  await says(page, "1 on this page.");
}

async function openRow(page: Page, name: string | RegExp) {
  await page.getByRole("button", { name }).click();
  await dialogOf(page).locator("dl").first().waitFor();
  return dialogOf(page);
}

/** Presses a button of the dialog, and waits for its result. */
async function press(page: Page, label: string, result: string | RegExp = `${label}: done.`) {
  await dialogOf(page).getByRole("button", { name: label, exact: true }).click();
  await says(page, result);
}

const userOf = (publicId: string) => read(`/users/${publicId}`);

test("operators sign in with an account or the key; others are told why they cannot", async () => {
  const page = await openPage();
  const { email, publicId } = await makeUser(app());
  await signIn(page, email, "a wrong password");
  await says(page, "The email address or the password is wrong.");
  await signIn(page, email);
  await says(page, `${email} is not an operator's account.`);
  await page.getByLabel("ADMIN_KEY").fill("a wrong key of the operator");
  await page.getByRole("button", { name: "Use the key" }).click();
  await says(page, "The `X-Admin-Key` is wrong.");

  await makeOperator(app(), publicId);
  await signIn(page, email);
  await heading(page, "Users");
  await page.getByRole("link", { name: "Log" }).click();
  await heading(page, "Log");
  expect(await page.evaluate("[localStorage.length, sessionStorage.length]")).toEqual([0, 0]);
  expect([await storedInBrowser(page), await page.context().cookies()]).toEqual(["[]", []]);
  await page.reload();
  await heading(page, "Sign in");

  await signIn(page, email);
  await heading(page, "Log");
  // Someone else takes the right away.
  await app().call({
    method: "PUT",
    path: `/operator/users/${publicId}`,
    body: { isDisabled: true },
    headers,
  });
  await page.getByRole("link", { name: "Workspaces" }).click();
  await heading(page, "Sign in");
  await says(page, /^You are signed out\./);
});

test("a session goes on when its access token ends, and ends with the sign-out", async () => {
  const { publicId, email, rest: own } = await makeUser(app());
  await makeOperator(app(), publicId);
  const page = await openPage();
  await signIn(page, email);
  await heading(page, "Users");
  app().advance(20 * 60_000);
  onTestFinished(() => app().resetClock());
  await page.getByRole("link", { name: "Workspaces" }).click();
  await says(page, /on this page|none found/);
  await page.getByRole("button", { name: "Sign out" }).click();
  await heading(page, "Sign in");
  app().resetClock();
  const sessions = async () => (await own.get("/auth/sessions")).body;
  await expect.poll(sessions).toHaveLength(1);
});

test("users are found, paged and seen as the API says, and their names are text", async () => {
  const made = await makeUser(app(), injected);
  for (let nth = 0; nth < 26; nth++) await makeUser(app(), `Paged ${nth}`);
  const page = await openAt("Users");
  await says(page, "25 on this page.");
  const { items } = await read("/users?limit=25");
  const rows = await rowsOf(page, "Users");
  for (const [nth, { email, name }] of items.entries()) {
    expect(rows[nth]).toContain(email + name);
  }
  await page.getByRole("button", { name: "Next page" }).click();
  await page.getByRole("button", { name: made.email }).waitFor();
  await page.getByRole("button", { name: "Previous page" }).click();
  await page.getByRole("button", { name: items[0].email }).waitFor();

  await find(page, made.email);
  expect((await rowsOf(page, "Users")).join()).toContain(injected);
  const dialog = await openRow(page, made.email);
  const text = await dialog.innerText();
  for (const part of [injected, made.publicId, "Is email verified"]) expect(text).toContain(part);
  expect(await page.locator("img").count()).toBe(0);
  expect(await page.title()).toBe("Users – Operator");
});

test("an account is disabled, which ends its sessions, and enabled, verified and renamed", async () => {
  const { email, publicId, rest: own } = await makeUser(app());
  const page = await openAt("Users");
  await find(page, email);
  await openRow(page, email);
  await press(page, "Disable");
  expect((await own.get("/users/me")).status).toBe(401);
  await press(page, "Enable");
  expect((await userOf(publicId)).isDisabled).toBe(false);
  await press(page, "Verify the address");
  await press(page, "Make an operator");
  await press(page, "Remove from operators");
  expect(await userOf(publicId)).toMatchObject({ isEmailVerified: true, isOperator: false });
  const taken = (await makeUser(app())).email;
  await dialogOf(page).getByLabel("New email").fill(taken);
  await press(page, "Change the address", "email: Another account has this email address.");
  await dialogOf(page).getByLabel("New email").fill(`new-${email}`);
  await dialogOf(page).getByLabel("It is verified").check();
  await press(page, "Change the address");
  expect(await userOf(publicId)).toMatchObject({ email: `new-${email}`, isEmailVerified: true });
});

test("a password link is shown once and works; an account is deleted after its address is typed", async () => {
  const { email, publicId } = await makeUser(app());
  const page = await openAt("Users");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await find(page, email);
  await openRow(page, email);
  await press(page, "Create a password link");
  const link = await dialogOf(page)
    .getByLabel(/^Shown once/)
    .inputValue();
  await dialogOf(page).getByRole("button", { name: "Copy" }).click();
  await dialogOf(page).getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(link);
  const token = new URL(link).searchParams.get("token") ?? "";
  const reset = await rest().post("/auth/password/reset", {
    token,
    newPassword: "quiet lanterns over water",
  });
  expect(reset.status).toBe(200);

  await dialogOf(page).getByRole("button", { name: "Close" }).click();
  await openRow(page, email);
  expect(
    await dialogOf(page)
      .getByLabel(/^Shown once/)
      .count(),
  ).toBe(0);
  await dialogOf(page).getByLabel(`Type ${email} to confirm`).fill("something else");
  await press(page, "Delete the account", `Not done: type ${email} to confirm.`);
  expect((await userOf(publicId)).email).toBe(email);
  await dialogOf(page).getByLabel(`Type ${email} to confirm`).fill(email);
  await press(page, "Delete the account");
  await dialogOf(page).waitFor({ state: "hidden" });
  expect((await rest().get(`/operator/users/${publicId}`, { headers })).status).toBe(404);
});

test("workspaces are listed with their sizes, get an admin and a quota, are deleted and restored", async () => {
  const workspace = await makeWorkspace(app());
  const { publicId, slug } = workspace;
  const { lists } = await makeBoard(workspace);
  for (let nth = 0; nth < 3; nth++) await makeCard(workspace.admin, lists[0] ?? "");
  await withoutAdmins(app(), publicId);
  const heir = await makeUser(app());
  const page = await openAt("Workspaces");
  await page.getByLabel("Order").selectOption("most cards");
  const { items } = await read("/workspaces?sort=cards");
  await expect.poll(async () => (await rowsOf(page, "Workspaces"))[0]).toContain(items[0].slug);
  await page.getByLabel("Admin").selectOption("without admin");
  await openRow(page, items[0].name);
  await dialogOf(page).getByLabel("Email or id of the account").fill(heir.email);
  await press(page, "Give it an admin");
  await dialogOf(page).waitFor({ state: "hidden" });
  expect((await heir.rest.get(`/workspaces/${publicId}`)).status).toBe(200);

  await page.getByLabel("Admin").selectOption("all");
  await find(page, slug);
  const quota = async () => (await read(`/workspaces?find=${publicId}`)).items[0].attachmentsQuota;
  await openRow(page, items[0].name);
  await dialogOf(page)
    .getByLabel(/^MiB of files/)
    .fill("20480");
  await press(page, "Set the quota");
  expect(await quota()).toBe(20_480);
  await dialogOf(page).getByText("20,480").waitFor();
  await dialogOf(page)
    .getByLabel(/^MiB of files/)
    .fill("");
  await press(page, "Set the quota");
  await expect.poll(quota).toBe(null);
  await dialogOf(page).getByLabel(`Type ${slug} to confirm`).fill(slug);
  await press(page, "Delete the workspace");
  expect((await heir.rest.get(`/workspaces/${publicId}`)).status).toBe(404);
  await page.getByLabel("Place").selectOption("in the trash");
  await openRow(page, items[0].name);
  await press(page, "Restore the workspace");
  expect((await heir.rest.get(`/workspaces/${publicId}`)).status).toBe(200);
});

/** A failed job, a webhook whose delivery has failed, and an import that waits. */
async function withWork({ deps, db }: App) {
  await insertJob({ db }, "failed");
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { publicId, admin } = await makeWorkspace(app());
  receiver.response({ status: 500 });
  const { body: hook } = await admin.rest.post(`/workspaces/${publicId}/webhooks`, {
    name: injected,
    url: receiver.url,
    events: ["workspace.updated"],
  });
  await admin.rest.put(`/workspaces/${publicId}`, { description: "new" });
  await deliverDue(deps);
  const workspace = await db.reader.workspace.findUniqueOrThrow({ where: { publicId } });
  const user = await db.reader.user.findUniqueOrThrow({ where: { email: admin.email } });
  await putImport(app(), workspace.id, user.id);
  return { hook, receiver, workspace };
}

test("jobs, failing webhooks, their deliveries and imports are shown, retried and stopped", async () => {
  const { hook, receiver, workspace } = await withWork(app());
  const page = await openAt("Work");
  await page
    .getByRole("search", { name: "Filter: Jobs" })
    .getByLabel("Status")
    .selectOption("failed");
  expect((await rowsOf(page, "Jobs"))[0]).toContain("no route");
  await openRow(page, "mail");
  await press(page, "Retry the job");
  expect((await read("/jobs?status=failed")).items).toEqual([]);

  await page.getByRole("button", { name: injected }).click();
  await dialogOf(page).getByRole("link", { name: "Show its deliveries" }).click();
  await heading(page, "Deliveries");
  receiver.response({ status: 200 });
  await openRow(page, "workspace.updated");
  await press(page, "Send it again");
  await deliverDue(app().deps);
  expect((await read("/webhooks?isFailing=true")).items).toEqual([]);

  await page.goBack();
  await heading(page, "Work");
  await page.getByRole("combobox", { name: "Show" }).selectOption("all");
  await openRow(page, injected);
  await press(page, "Disable the webhook");
  expect((await read("/webhooks")).items[0]).toMatchObject({
    publicId: hook.publicId,
    isActive: false,
  });
  await dialogOf(page).getByRole("button", { name: "Close" }).click();
  expect((await rowsOf(page, "Imports")).join()).toContain(workspace.name);
  await tableOf(page, "Imports").getByRole("button").first().click();
  await press(page, "Cancel the import");
  expect((await read("/imports")).items[0].status).toBe("cancelled");
  expect(await page.locator("img").count()).toBe(0);
});

test("health and the log say what the API says", async () => {
  const page = await openAt("Health");
  await says(page, "Read.");
  const text = await page.locator("main").innerText();
  const { status } = (await rest().get("/health")).body;
  const { counts } = (await rest().get("/stats", { headers })).body;
  expect(text).toMatch(new RegExp(`Readiness\\s+Status\\s+ok\\s+Health\\s+Status\\s+${status}`));
  expect(text).toMatch(new RegExp(`Users\\s+${counts.users}\\s`));
  await page.getByRole("link", { name: "Log" }).click();
  await heading(page, "Log");
  const [newest] = (await read("/log")).items;
  const [row] = await rowsOf(page, "What operators did");
  for (const part of [newest.operation, "ADMIN_KEY", JSON.stringify(newest.input)]) {
    expect(row).toContain(part);
  }
});

test("beyond the limit of calls a read waits and is repeated; a write is refused once", async () => {
  const { email, publicId } = await makeUser(strict());
  const page = await openAt("Users", {}, 1);
  for (const section of ["Work", "Log", "Work", "Users"]) {
    await page.getByRole("link", { name: section, exact: true }).click();
    await heading(page, section);
  }
  await says(page, /too many calls; this continues in \d+ s\.$/);
  await says(page, "on this page.");
  await openRow(page, email);
  const exhaust = () => fetch(`${servers[1]?.url}/api/v1/health`).then(({ status }) => status);
  await expect.poll(exhaust, { interval: 0 }).toBe(429);
  await press(page, "Disable", /\(429\)/);
  await dialogOf(page).getByRole("button", { name: "Close" }).click();
  await page.getByRole("link", { name: "Log", exact: true }).click();
  await says(page, "What operators did: none found.");
  const row = await strict().db.reader.user.findUniqueOrThrow({ where: { publicId } });
  expect(row.disabledAt).toBe(null);
});

test("the page is used with the keyboard alone", async () => {
  const page = await openPage();
  await page.getByLabel("ADMIN_KEY").focus();
  await page.keyboard.type(ADMIN_KEY);
  await page.keyboard.press("Enter");
  await heading(page, "Users");
  await says(page, "on this page.");
  const row = tableOf(page, "Users").getByRole("button").first();
  await row.focus();
  await page.keyboard.press("Enter");
  await dialogOf(page).locator("dl").first().waitFor();
  await page.keyboard.press("Tab");
  const inside = await page.evaluate(
    "document.querySelector('dialog').contains(document.activeElement)",
  );
  expect(inside).toBe(true);
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "hidden" });
  const focused = page.locator("tbody button:focus");
  expect(await focused.innerText()).toBe(await row.innerText());
});

test.each(["light", "dark"] as const)("axe finds nothing on a phone, %s", async (colorScheme) => {
  await withWork(app());
  const options = { colorScheme, viewport: { width: 360, height: 740 } };
  const found: string[] = [];
  const check = async (page: Page, place: string) => {
    for (const one of await findings(page)) found.push(`${place}: ${one}`);
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    if (width > 360) found.push(`${place}: ${width} px wide`);
  };
  const closed = await openPage(options);
  await signIn(closed, "nobody@example.com");
  await says(closed, "wrong");
  await check(closed, "sign-in");
  const page = await openAt("Users", options);
  for (const section of ["Users", "Workspaces", "Work", "Health", "Log"]) {
    await page.getByRole("link", { name: section, exact: true }).click();
    await heading(page, section);
    await says(page, /on this page|Read\./);
    await check(page, section);
    if (section === "Health") continue;
    await page.locator("tbody button").first().click();
    await dialogOf(page).locator("dl").first().waitFor();
    await check(page, `${section}, dialog`);
    await dialogOf(page).getByRole("button", { name: "Close" }).click();
  }
  expect(found).toEqual([]);
});

test("no script failed in all of this, and the Content-Security-Policy stopped nothing", () => {
  expect(complaints).toEqual([]);
});
