import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import document from "../contract/openapi.json" with { type: "json" };
import { newBoard, newPerson, startBrowser } from "./demo-window.ts";
import { useService } from "./service.ts";

const service = useService();
const password = "a password for tests";
type Find = (name: string) => Promise<string | undefined>;
type OwnIds = { ownIds(call: (path: string) => Promise<unknown>): Find };

/** What names no data of the caller, or is made by them. */
const others = new Set([
  "provider",
  "publicId",
  "lastEventId",
  "workspaceIds",
  "boardIds",
  "projectIds",
  // Only operators list accounts and jobs.
  "userPublicId",
  "jobId",
]);

/** The names of the ids that paths and examples of bodies have. */
function namesOfIds(): string[] {
  const names = new Set<string>();
  for (const [path, methods] of Object.entries<object>(document.paths)) {
    for (const [, name = ""] of path.matchAll(/\{(\w+)\}/g)) names.add(name);
    for (const operation of Object.values(methods)) {
      const content = operation.requestBody?.content["application/json"];
      for (const name of Object.keys(content?.example ?? {})) {
        if (/Ids?$/.test(name)) names.add(name.replace(/Ids$/, "Id"));
      }
    }
  }
  return [...names].filter((name) => !others.has(name) && !others.has(`${name}s`));
}

test("each id of the API is found in a listing of the caller's own data", async () => {
  const { ownIds }: OwnIds = await import(pathToFileURL(resolve("reference/own-ids.js")).href);
  const person = await newPerson(service());
  const { workspacePublicId, boardPublicId, cards } = await newBoard(person);
  const { client } = person;
  const cardPublicId = cards["Alpha"] ?? "";
  const { publicId: comment } = await client.comment.create({ cardPublicId, comment: "Hello" });
  const { key: token } = await client.auth.createApiKey({ name: "Docs", password });
  const { inviteCode } = await client.invite.createLink({ workspacePublicId });
  const asked: string[] = [];
  const find = ownIds(async (path) => {
    asked.push(path);
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${service()}/api/v1${path}`, { headers });
    return response.ok ? response.json() : undefined;
  });
  const found: Record<string, string | undefined> = {};
  const unknown: string[] = [];
  for (const name of namesOfIds()) {
    const before = asked.length;
    found[name] = await ownIds(async (path) => void asked.push(path))(name);
    if (asked.length === before) unknown.push(name);
    found[name] = await find(name);
  }
  expect(unknown).toEqual([]);
  expect(found).toMatchObject({
    workspacePublicId,
    boardPublicId,
    cardPublicId,
    cardNumber: "ENG-1",
    commentPublicId: comment,
    inviteCode,
    checklistItemPublicId: expect.stringMatching(/^\w{12}$/),
    rolePublicId: expect.stringMatching(/^\w{12}$/),
  });
});

test("Try it fills in the caller's ids when it has a token, in the path and in the body", async () => {
  const person = await newPerson(service());
  const { cards } = await newBoard(person);
  const { key: token } = await person.client.auth.createApiKey({ name: "Docs", password });
  const { lists } = await person.client.board.get({
    boardPublicId: (await person.client.card.get({ cardPublicId: cards["Alpha"] ?? "" }))
      .boardPublicId,
  });
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const tryIt = async (operation: string) => {
    await page.goto(`${service()}/docs#/operation/${operation}`);
    await page.locator("#content .try-it > summary").click();
    await page.locator("input[name=token]").fill(token);
    await page.locator("input[name=token]").blur();
  };
  await tryIt("card.get");
  const id = page.locator("input[name=cardPublicId]");
  await expect.poll(() => id.inputValue(), { timeout: 20_000 }).toBe(cards["Alpha"]);
  await page.locator(".send").click();
  await page.locator(".answer code", { hasText: "Alpha" }).waitFor();
  await page.goto("about:blank");
  await tryIt("card.create");
  const body = page.locator("textarea[name=body]");
  await expect.poll(() => body.inputValue(), { timeout: 20_000 }).toContain(lists[0]?.publicId);
  await page.locator(".send").click();
  await page.locator(".answer", { hasText: "200" }).waitFor();
});
