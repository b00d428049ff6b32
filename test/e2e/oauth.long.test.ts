import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startApp, type App } from "../support/app.ts";
import { freePort, listen } from "../support/listen.ts";
import { makeBoard, makeWorkspace } from "../support/make.ts";
import { findings, useBrowser } from "./demo-window.ts";

const password = "a password for tests";
const browser = useBrowser();
let app: App;
let service: { url: string; close: () => Promise<void> };
let callback: { url: string; server: Server; returned: URL[] };

beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  app = await startApp({ env: { BASE_URL: url, NODE_ENV: "production" } });
  service = await listen(app.fetch, port);
  const returned: URL[] = [];
  const server = createServer((request, response) => {
    const at = new URL(request.url ?? "", "http://127.0.0.1");
    if (at.pathname === "/callback") returned.push(at);
    response.setHeader("Content-Type", "text/html").end("<h1>Back in the app</h1>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const own = typeof address === "object" ? address?.port : 0;
  callback = { url: `http://127.0.0.1:${own}/callback`, server, returned };
});
afterAll(async () => {
  callback.server.close();
  await service.close();
  await app.close();
});

/** What a host of agents keeps of its authorization. */
class Provider {
  asked: URL[] = [];
  #client: any;
  #tokens: any;
  #verifier = "";
  #state = 0;

  get redirectUrl() {
    return callback.url;
  }
  get clientMetadata() {
    return { client_name: "A host of agents", redirect_uris: [callback.url] };
  }
  state = () => `state-${++this.#state}`;
  clientInformation = () => this.#client;
  saveClientInformation = (information: any) => void (this.#client = information);
  tokens = () => this.#tokens;
  saveTokens = (tokens: any) => void (this.#tokens = tokens);
  redirectToAuthorization = (url: URL) => void this.asked.push(url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
}

const versions = {
  "version 1 of the SDK": (provider: Provider) => ({
    client: new OldClient({ name: "tests", version: "1.0.0" }),
    transport: new OldTransport(new URL(`${service.url}/mcp`), { authProvider: provider }),
  }),
  "version 2 of the SDK": (provider: Provider) => ({
    client: new Client({ name: "tests", version: "1.0.0" }),
    transport: new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      authProvider: provider,
    }),
  }),
};

async function openPage(url: URL): Promise<Page> {
  const page = await browser().newPage();
  onTestFinished(() => page.context().close());
  await page.goto(url.href);
  return page;
}

async function signIn(page: Page, email: string) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: /^Connect “/ }).waitFor();
}

/** What the browser brought back to the host. */
async function back(page: Page): Promise<URLSearchParams> {
  await page.getByRole("heading", { name: "Back in the app" }).waitFor();
  const url = callback.returned.at(-1);
  if (url === undefined) throw new Error("The browser has not returned.");
  return url.searchParams;
}

type Connection = { client: any; transport: any };
const connect = ({ client, transport }: Connection) => client.connect(transport);
const tool = async ({ client }: Connection, name: string, args: object = {}) =>
  (await client.callTool({ name, arguments: args })).content[0].text;

describe.each(Object.entries(versions))("%s", (_, make) => {
  test("connects with nothing but the address, and stops when it is disconnected", async () => {
    const workspace = await makeWorkspace(app);
    const board = await makeBoard(workspace);
    const { email } = workspace.admin;
    const provider = new Provider();
    const first = make(provider);
    await expect(connect(first)).rejects.toThrow(/unauthorized/i);
    const [asked] = provider.asked;
    if (asked === undefined) throw new Error("The client has not asked.");

    const page = await openPage(asked);
    expect(await findings(page)).toEqual([]);
    await signIn(page, email);
    const text = await page.getByRole("main").innerText();
    expect(text).toContain("“A host of agents” wants to read and change what you choose below");
    expect(text).toContain("Nobody vouches for the name “A host of agents”");
    expect(text).toContain("your browser returns to this computer");
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Connect" }).click();
    const returned = await back(page);
    expect(await page.context().cookies()).toEqual([]);
    expect(returned.get("state")).toBe(asked.searchParams.get("state"));
    const finishing = first.transport as any;
    await finishing.finishAuth(first.client instanceof Client ? returned : returned.get("code"));

    const connected = make(provider);
    await connect(connected);
    onTestFinished(() => connected.client.close());
    expect((await (connected.client as any).listTools()).tools.length).toBeGreaterThan(20);
    const { body: shown } = await workspace.admin.rest.get(`/boards/${board.publicId}`);
    const args = { title: "From an agent", board: shown.name, list: "To do" };
    expect(await tool(connected, "card_create", args)).toMatch(/^Created /);

    // A token that is no longer accepted is refreshed without the person.
    provider.saveTokens({ ...provider.tokens(), access_token: "expired" });
    expect(await tool(connected, "workspace_list")).toContain("Workspace");
    expect(provider.asked).toHaveLength(1);

    const { body: keys } = await workspace.admin.rest.get("/auth/api-keys");
    await workspace.admin.rest.delete(`/auth/api-keys/${keys[0].publicId}`);
    await expect(tool(connected, "workspace_list")).rejects.toThrow(/unauthorized/i);
    expect(provider.asked).toHaveLength(2);
  });

  test("asks the person again when it may only read and wants to write", async () => {
    const workspace = await makeWorkspace(app);
    const board = await makeBoard(workspace);
    const provider = new Provider();
    const first = make(provider);
    await expect(connect(first)).rejects.toThrow(/unauthorized/i);
    const page = await openPage(provider.asked[0] ?? new URL(service.url));
    await signIn(page, workspace.admin.email);
    await page.getByLabel("One board").check();
    await page.getByLabel("It may only read").check();
    await page.getByLabel("Board", { exact: true }).selectOption({ index: 0 });
    await page.getByLabel("For how long").selectOption("7 days");
    await page.getByRole("button", { name: "Connect" }).click();
    const returned = await back(page);
    await (first.transport as any).finishAuth(
      first.client instanceof Client ? returned : returned.get("code"),
    );
    const { body: keys } = await workspace.admin.rest.get("/auth/api-keys");
    expect(keys).toEqual([
      expect.objectContaining({ readOnly: true, boardPublicId: board.publicId }),
    ]);
    const connected = make(provider);
    await connect(connected);
    onTestFinished(() => connected.client.close());
    const args = { title: "Not yet", list: "To do" };
    await expect(tool(connected, "card_create", args)).rejects.toThrow();
    // Version 1 refreshes its token instead, which gives it no more.
    if (connected.client instanceof OldClient) return;
    expect(provider.asked).toHaveLength(2);
    expect(provider.asked[1]?.searchParams.get("scope")).toBe("boards:read boards:write");
  });
});

test("everything takes the password again, and a refusal goes back to the app", async () => {
  const workspace = await makeWorkspace(app);
  const provider = new Provider();
  const { client, transport } = versions["version 1 of the SDK"](provider);
  await expect(client.connect(transport as any)).rejects.toThrow(/unauthorized/i);
  const [asked = new URL(service.url)] = provider.asked;
  const page = await openPage(asked);
  await page.getByLabel("Email").fill(workspace.admin.email);
  await page.getByLabel("Password").fill("a wrong password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("status").filter({ hasText: "is wrong" }).waitFor();
  await signIn(page, workspace.admin.email);
  await page.getByLabel("Everything that I can use").check();
  await page.getByLabel(/Your password again/).fill("a wrong password");
  await page.getByRole("button", { name: "Connect" }).click();
  await page.getByRole("status").filter({ hasText: "The password is wrong." }).waitFor();
  await page.getByLabel(/Your password again/).fill(password);
  await page.getByRole("button", { name: "Connect" }).click();
  expect((await back(page)).get("code")).toMatch(/^[\w-]{43}$/);

  const other = await openPage(asked);
  await signIn(other, workspace.admin.email);
  await other.getByRole("button", { name: "Refuse" }).click();
  expect((await back(other)).get("error")).toBe("access_denied");
});

test("a request that no app can have sent is explained, and goes nowhere", async () => {
  const workspace = await makeWorkspace(app);
  const name = encodeURIComponent(`<img src=x onerror="document.title='broken'">`);
  const page = await openPage(new URL(`${service.url}/oauth/authorize?client_id=${name}`));
  await page.getByLabel("Email").fill(workspace.admin.email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("status").filter({ hasText: "The app is unknown" }).waitFor();
  expect(await page.title()).toBe("Connect an app");
});

test("a person enters the code of a program, reads the warning, and decides", async () => {
  const workspace = await makeWorkspace(app);
  const body = new URLSearchParams({ client_id: "wbs-cli" });
  const start = { method: "POST", body };
  const response = await fetch(`${service.url}/oauth/device_authorization`, start);
  const { user_code: code, verification_uri: address }: any = await response.json();
  const page = await openPage(new URL(`${address}?user_code=${code}`));
  await page.getByLabel("Email").fill(workspace.admin.email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Enter the code" }).waitFor();
  expect(await page.getByRole("main").innerText()).toContain("Never enter a code that somebody");
  expect(await findings(page)).toEqual([]);
  expect(await page.getByLabel("Code").inputValue()).toBe(code);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Connect “wbs”?" }).waitFor();
  expect(await page.getByRole("main").innerText()).toContain("calls itself “wbs”");
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Connect" }).click();
  await page.getByText("The program is connected.").waitFor();
  const { body: keys } = await workspace.admin.rest.get("/auth/api-keys");
  expect(keys).toEqual([expect.objectContaining({ name: "wbs (by code)" })]);
});
