import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { newPublicId } from "../../src/client/index.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { startApp, type App } from "../support/app.ts";
import { freePort, listen } from "../support/listen.ts";
import { startSignInProvider } from "../support/sign-in-provider.ts";
import { findings, newPerson, reported, useBrowser } from "./demo-window.ts";

const browser = useBrowser();
const provider = await startSignInProvider();
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
let app: App;
let service: { close: () => Promise<void> };
beforeAll(async () => {
  const google = { kind: "google", clientId: "boards", clientSecret: "a secret" };
  const SIGN_IN_PROVIDERS = JSON.stringify([{ ...google, issuer: provider.url }]);
  app = await startApp({ env: { BASE_URL: url, DEMO: "true", SIGN_IN_PROVIDERS } });
  service = await listen(app.fetch, port);
});
afterAll(async () => {
  await service.close();
  await app.close();
  await provider.stop();
});
const password = "a password for tests";

/** Opens the demo in a window of its own, and signs in through the provider. */
async function comeBack(at: string) {
  const context = await browser().newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.on("pageerror", (error) => reported.push(error.message));
  await page.goto(`${url}/demo${at}`);
  const button = page.getByRole("button", { name: "Sign in with Google" });
  await button.waitFor();
  expect(await findings(page)).toEqual([]);
  await button.click();
  await page.waitForURL(`${url}/demo**`);
  return page;
}

const visit = (email: string, isVerified = true) => {
  provider.visitor = { sub: newPublicId(), email, email_verified: isVerified, name: "Ada Brandt" };
};

describe("the sign-in page of the demo", () => {
  test("signs in through a provider, and goes on where it was", async () => {
    visit(`${newPublicId()}@example.com`);
    const page = await comeBack("#/card/nothing");
    await page.getByRole("button", { name: "Account of Ada Brandt" }).waitFor();
    expect(page.url()).toBe(`${url}/demo#/card/nothing`);
    await page.reload();
    await page.getByRole("button", { name: "Account of Ada Brandt" }).waitFor();
    expect(await page.evaluate("JSON.stringify(sessionStorage)")).toBe("{}");
    expect(reported).toEqual([]);
  });

  test("asks for the password of an account once, and links the provider to it", async () => {
    const person = await newPerson(url);
    await app.db.write(sql`UPDATE users SET "emailVerifiedAt" = now()
      WHERE email = ${person.email}`);
    visit(person.email);
    const page = await comeBack("");
    await page.getByText("Sign in with its password once").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Workspaces" }).waitFor();
    await expect
      .poll(async () => (await person.client.signIn.identities()).map((one) => one.provider))
      .toEqual(["google"]);
    const again = await comeBack("");
    await again.getByRole("heading", { name: "Workspaces" }).waitFor();
    expect(reported).toEqual([]);
  });

  test("says why a sign-in failed", async () => {
    visit(`${newPublicId()}@example.com`, false);
    const page = await comeBack("");
    await page.getByText("The provider vouches for no address of yours").waitFor();
    expect(page.url()).toBe(`${url}/demo`);
  });
});
