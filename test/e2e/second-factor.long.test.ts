import jsQR from "jsqr";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Locator, Page } from "playwright-core";
import { codeAt } from "../support/second-factor.ts";
import { startApp, type App } from "../support/app.ts";
import { freePort, listen } from "../support/listen.ts";
import { findings, newPerson, reported, useBrowser } from "./demo-window.ts";

const browser = useBrowser();
const port = await freePort();
// A passkey needs a host with a name.
const url = `http://localhost:${port}`;
const password = "a password for tests";
let app: App;
let service: { close: () => Promise<void> };
beforeAll(async () => {
  app = await startApp({ env: { BASE_URL: url, DEMO: "true" } });
  service = await listen(app.fetch, port);
});
afterAll(async () => {
  await service.close();
  await app.close();
});

/** A window whose browser has a passkey that answers by itself. */
async function open(path: string): Promise<Page> {
  const context = await browser().newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.on("pageerror", (error) => reported.push(error.message));
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`${url}${path}`);
  return page;
}

async function enter(page: Page, email: string) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** What a camera reads of a code in the page. */
async function scan(page: Page, code: Locator): Promise<string> {
  const picture = (await code.screenshot()).toString("base64");
  const pixels: { data: number[]; width: number; height: number } = await page.evaluate(`
    createImageBitmap(new Blob([Uint8Array.from(atob("${picture}"), (char) => char.charCodeAt(0))]))
      .then((bitmap) => {
        const { width, height } = bitmap;
        const canvas = new OffscreenCanvas(width, height).getContext("2d");
        canvas.drawImage(bitmap, 0, 0);
        return { data: [...canvas.getImageData(0, 0, width, height).data], width, height };
      })`);
  const { data, width, height } = pixels;
  return jsQR.default(Uint8ClampedArray.from(data), width, height)?.data ?? "";
}

async function openFactors(page: Page, name: string) {
  await page.getByRole("button", { name: `Account of ${name}` }).click();
  await page.getByRole("menuitem", { name: "Profile" }).click();
  await page.getByText("Second factor").click();
  await page.getByLabel("Your password").fill(password);
}

test("the demo sets up codes and a passkey, signs in with both, and removes them", async () => {
  const { email, name } = await newPerson(url);
  const page = await open("/demo");
  await enter(page, email);
  await openFactors(page, name);
  await page.getByRole("button", { name: "Add codes of an app" }).click();
  const secret = await page.locator("details code").first().textContent();
  const scanned = new URL(
    await scan(page, page.getByRole("img", { name: "QR code for your app" })),
  );
  expect([scanned.protocol, scanned.searchParams.get("secret")]).toEqual(["otpauth:", secret]);
  await page.getByLabel("Code that the app shows").fill(codeAt(app, secret ?? "", -1));
  await page.getByRole("button", { name: "Add the app" }).click();
  await page.getByText("Keep these recovery codes").waitFor();
  expect(await page.locator("details li code").count()).toBe(10);
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: "Remove Passkey" }).waitFor();
  await page.evaluate("localStorage.clear()");
  await page.reload();
  await enter(page, email);
  await page.getByText("Your account has a second factor.").waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByLabel("Code of your app").fill(codeAt(app, secret ?? ""));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("button", { name: `Account of ${name}` }).waitFor();
  await page.evaluate("localStorage.clear()");
  await page.reload();
  await enter(page, email);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await openFactors(page, name);
  await page.getByRole("button", { name: "Remove Passkey" }).click();
  await page.getByRole("button", { name: "Remove Passkey" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Remove App for authentication" }).click();
  await page.getByRole("button", { name: "Add codes of an app" }).waitFor();

  expect(reported).toEqual([]);
});

test("the page that connects apps asks for the code, or for a passkey", async () => {
  const { email, name } = await newPerson(url);
  const page = await open("/demo");
  await enter(page, email);
  await openFactors(page, name);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("Keep these recovery codes").waitFor();
  const recovery = await page.locator("details li code").first().textContent();
  for (const way of ["passkey", "code"]) {
    await page.goto(`${url}/oauth/device`);
    await enter(page, email);
    await page.getByRole("heading", { name: "Confirm that it is you" }).waitFor();
    expect(await findings(page)).toEqual([]);
    if (way === "code") {
      await page.getByLabel("Code of your app").fill("not a code at all");
      await page.getByRole("button", { name: "Confirm" }).click();
      await page.getByText("is wrong, or was used before").waitFor();
      await page.getByLabel("Code of your app").fill(recovery ?? "");
      await page.getByRole("button", { name: "Confirm" }).click();
    } else await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("heading", { name: "Enter the code" }).waitFor();
  }
  expect(reported).toEqual([]);
});
