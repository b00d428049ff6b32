import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../support/listen.ts";
import { snippet } from "../support/snippet.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { newBoard, newPerson, startBrowser } from "./demo-window.ts";
import { useService } from "./service.ts";

const run = promisify(execFile);
const service = useService();

/** A user with one overdue card, and their API key. */
async function withOverdueCard() {
  const person = await newPerson(service());
  const { cards } = await newBoard(person);
  const { client } = person;
  const cardPublicId = cards["Beta"] ?? "";
  await client.card.update({ cardPublicId, dueDate: "2020-01-01T12:00:00.000Z" });
  const { key } = await client.auth.createApiKey({
    name: "Script",
    password: "a password for tests",
  });
  return { person, env: { PATH: process.env["PATH"], BOARDS_URL: service(), BOARDS_KEY: key } };
}

/** The program for Node.js, with the client installed. */
async function installed() {
  const folder = await temporaryDirectory();
  const modules = join(folder, "node_modules/@workspace-board-service");
  await mkdir(modules, { recursive: true });
  await symlink(resolve("dist/client-package"), join(modules, "client"));
  await cp("examples/node", folder, { recursive: true });
  return folder;
}

test("the program for Node.js prints overdue cards", async () => {
  const { env } = await withOverdueCard();
  const folder = await installed();
  const { scripts } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  expect(scripts.start).toBe("node due-cards.mjs");
  const { stdout } = await run(process.execPath, ["due-cards.mjs"], { cwd: folder, env });
  expect(stdout).toBe("2020-01-01T12:00:00.000Z ENG-2 Beta\n");
});

test("the program for Python prints the same", async () => {
  const { env } = await withOverdueCard();
  const { stdout } = await run("python3", ["examples/python/due_cards.py"], { env });
  expect(stdout).toBe("2020-01-01T12:00:00.000Z ENG-2 Beta\n");
});

test("without a key, the programs say that they need one", async () => {
  const env = { PATH: process.env["PATH"] };
  const programs = [
    [process.execPath, [join(await installed(), "due-cards.mjs")]],
    ["python3", ["examples/python/due_cards.py"]],
  ] as const;
  for (const [program, args] of programs) {
    await expect(run(program, [...args], { env })).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^Set BOARDS_KEY to an API key.*\n.*quick-start shows how/),
    });
  }
});

/** Serves a page that calls the service; both share an origin here, as behind a proxy. */
async function servePage(page: string): Promise<string> {
  const html = page
    .replaceAll("http://127.0.0.1:3000/docs/", `${service()}/docs/`)
    .replace(`"http://127.0.0.1:3000"`, "location.origin");
  const server = await listen(async (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/") {
      return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
    }
    const { method } = request;
    const body = method === "POST" ? await request.text() : null;
    // `fetch` decodes compressed answers, but does not remove their header.
    const headers = new Headers(request.headers);
    headers.set("Accept-Encoding", "identity");
    return fetch(service() + pathname + search, { method, headers, body });
  });
  onTestFinished(() => server.close());
  return server.url;
}

/** Opens a page in a browser of its own. */
async function openPage(url: string) {
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(url);
  return page;
}

test("the page without a build runs with the served client", async () => {
  const response = await fetch(`${service()}/docs/client.js`);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  const person = await newPerson(service());
  const { cards } = await newBoard(person);
  const page = await openPage(await servePage(await readFile("examples/html/index.html", "utf8")));
  await page.getByLabel("Email").fill(person.email);
  const signIn = async (password: string) => {
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await signIn("a wrong password");
  await page.getByText("The email address or the password is wrong.").waitFor();
  await signIn("a password for tests");
  await page.getByText("Alpha").waitFor();
  const cardPublicId = cards["Alpha"] ?? "";
  await person.client.card.update({ cardPublicId, title: "Renamed" });
  await page.getByText("Renamed").waitFor();
});

test("the page of the quick start shows a board and what others change", async () => {
  const person = await newPerson(service());
  const { cards } = await newBoard(person);
  const html = (await snippet("docs/quick-start.md", "html", "createClient"))
    .replace("me@example.com", person.email)
    .replace("correct horse battery", "a password for tests");
  const page = await openPage(await servePage(html));
  await page.getByText("- Alpha").waitFor();
  const cardPublicId = cards["Alpha"] ?? "";
  await person.client.card.update({ cardPublicId, title: "Renamed" });
  await expect.poll(() => page.locator("main").innerText()).toMatch(/^To do\n- Renamed\n- Beta\n/);
});
