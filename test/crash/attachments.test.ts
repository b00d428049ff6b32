import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freshDatabase } from "../support/database.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { peakOf, startBuilt, type ServiceProcess } from "./service-process.ts";

const mebibyte = 1024 * 1024;

const start = (DATABASE_URL: string, dataDir: string) =>
  startBuilt(dataDir, { DATABASE_URL, LOG_LEVEL: "error" });

/** Calls with JSON; answers the body of a success. */
async function post(
  { url }: ServiceProcess,
  path: string,
  token: string | undefined,
  body: object = {},
) {
  const reply = await fetch(`${url}/api/v1${path}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const response: any = await reply.json();
  expect(reply.status, JSON.stringify(response)).toBe(200);
  return response;
}

/** A user with a card. */
async function makeCard(service: ServiceProcess): Promise<{ token: string; card: string }> {
  const password = "a password for tests";
  const { accessToken: token } = await post(service, "/auth/register", undefined, {
    email: "user@example.com",
    password,
    name: "User",
  });
  const workspace = await post(service, "/workspaces", token, { name: "Files" });
  const board = await post(service, `/workspaces/${workspace.publicId}/boards`, token, {
    name: "B",
    lists: ["L"],
  });
  const card = await post(service, "/cards", token, {
    title: "C",
    listPublicId: board.lists[0].publicId,
  });
  return { token, card: card.publicId };
}

/** Bytes that no two chunks share. */
async function* noise(chunks: number, size = 64 * 1024) {
  for (let n = 0; n < chunks; n++)
    yield Buffer.alloc(size, createHash("sha256").update(String(n)).digest());
}

const upload = (
  { url }: ServiceProcess,
  token: string,
  card: string,
  body: AsyncIterable<Uint8Array>,
) =>
  fetch(`${url}/api/v1/cards/${card}/attachments?filename=big.bin`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: ReadableStream.from(body),
    duplex: "half",
  });

async function digest(chunks: AsyncIterable<Uint8Array>) {
  const hash = createHash("sha256");
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}

async function storedIn(dataDir: string) {
  const entries = await readdir(join(dataDir, "files"), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const chunks = (50 * mebibyte) / (64 * 1024);

/** Sends 50 MiB up and fetches them back; fails unless they are the same. */
async function upAndDown(service: ServiceProcess, token: string, card: string) {
  let sent = await upload(service, token, card, noise(chunks));
  // On a busy machine one has waited too long for its turn.
  while (sent.status === 503) sent = await upload(service, token, card, noise(chunks));
  const response: any = await sent.json();
  expect([sent.status, response.size]).toEqual([200, 50 * mebibyte]);
  const url = `${service.url}/api/v1/attachments/${response.publicId}/content`;
  const reply = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  expect(reply.headers.get("content-length")).toBe(String(50 * mebibyte));
  expect(reply.body && (await digest(reply.body))).toBe(await digest(noise(chunks)));
}

/** How much a new service grows in MiB while so many files go up and down at once. */
async function growthOf(count: number, times: number): Promise<number> {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const service = await start(database.url, await temporaryDirectory());
  const { token, card } = await makeCard(service);
  const before = await peakOf(service);
  for (let nth = 0; nth < times; nth++) {
    await Promise.all(Array.from({ length: count }, () => upAndDown(service, token, card)));
  }
  const growth = (await peakOf(service)) - before;
  service.kill();
  return growth;
}

/** The least growth of three services: one that stood still finds full buffers. */
async function leastGrowth(count: number, times: number, most: number): Promise<number> {
  const found = [await growthOf(count, times)];
  while (found.length < 3 && Math.min(...found) >= most) found.push(await growthOf(count, times));
  return Math.min(...found);
}

test("three uploads and downloads of 50 MiB, 300 MiB in all, need less than 80 MiB of memory", async () => {
  expect(await leastGrowth(1, 3, 80), "more, in MiB").toBeLessThan(80);
});

test("six at once, 600 MiB in all, need less than 100 MiB of memory", async () => {
  expect(await leastGrowth(6, 1, 100), "more, in MiB").toBeLessThan(100);
});

test("a service that is killed during an upload restarts without a partial file", async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const dataDir = await temporaryDirectory();
  const service = await start(database.url, dataDir);
  const { token, card } = await makeCard(service);
  const killed = async function* () {
    let halves: string[] = [];
    for await (const chunk of noise(200)) {
      yield chunk;
      halves = await storedIn(dataDir);
      if (halves.length > 0) service.kill();
    }
    // A slow service stores the first bytes when all have been sent.
    while (halves.length === 0) halves = await storedIn(dataDir);
    service.kill();
  };
  await expect(upload(service, token, card, killed())).rejects.toThrow("fetch failed");
  expect(await storedIn(dataDir)).toMatchObject([expect.stringContaining("/incoming/")]);

  const again = await start(database.url, dataDir);
  const headers = { Authorization: `Bearer ${token}` };
  const shown: any = await (await fetch(`${again.url}/api/v1/cards/${card}`, { headers })).json();
  expect(shown).toMatchObject({ attachments: [], attachmentCount: 0 });
  const reply = await upload(again, token, card, noise(3));
  expect(reply.status).toBe(200);
});
