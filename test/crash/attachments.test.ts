import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { freshDatabase } from "../support/database.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const mebibyte = 1024 * 1024;

type Running = { url: string; child: ChildProcess };

/** Starts the built service as `npm start` does. */
async function start(DATABASE_URL: string, DATA_DIR: string): Promise<Running> {
  const { scripts } = JSON.parse(await readFile("package.json", "utf8"));
  const [, ...args] = String(scripts.start).split(" ");
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env["PATH"],
      DATABASE_URL,
      DATA_DIR,
      PORT: "0",
      LOG_LEVEL: "error",
      RATE_LIMIT: "1000000",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url !== undefined) return { url, child };
  }
  throw new Error("The service did not start.");
}

/** The most memory that a process has held so far, in MiB. */
async function peak({ child }: Running): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Calls with JSON; answers the body of a success. */
async function post({ url }: Running, path: string, token: string | undefined, body: object = {}) {
  const reply = await fetch(`${url}/api/v1${path}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const answer: any = await reply.json();
  expect(reply.status, JSON.stringify(answer)).toBe(200);
  return answer;
}

/** Somebody with a card of theirs. */
async function makeCard(service: Running): Promise<{ token: string; card: string }> {
  const password = "a password for tests";
  const { accessToken: token } = await post(service, "/auth/register", undefined, {
    email: "somebody@example.com",
    password,
    name: "Somebody",
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

const upload = ({ url }: Running, token: string, card: string, body: AsyncIterable<Uint8Array>) =>
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
async function upAndDown(service: Running, token: string, card: string) {
  const sent = await upload(service, token, card, noise(chunks));
  const answer: any = await sent.json();
  expect([sent.status, answer.size]).toEqual([200, 50 * mebibyte]);
  const url = `${service.url}/api/v1/attachments/${answer.publicId}/content`;
  const reply = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  expect(reply.headers.get("content-length")).toBe(String(50 * mebibyte));
  expect(reply.body && (await digest(reply.body))).toBe(await digest(noise(chunks)));
}

test("50 MiB go up and down, and the process does not hold them", async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const service = await start(database.url, await temporaryDirectory());
  const { token, card } = await makeCard(service);
  const before = await peak(service);
  await upAndDown(service, token, card);
  expect((await peak(service)) - before, "more, in MiB").toBeLessThan(50);
});

test("six of them at once, 600 MiB in all, make the process larger by less than 100 MiB", async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const service = await start(database.url, await temporaryDirectory());
  const { token, card } = await makeCard(service);
  const before = await peak(service);
  await Promise.all(Array.from({ length: 6 }, () => upAndDown(service, token, card)));
  expect((await peak(service)) - before).toBeLessThan(100);
});

test("a service that is killed in the middle of an upload comes back without half a file", async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const dataDir = await temporaryDirectory();
  const service = await start(database.url, dataDir);
  const { token, card } = await makeCard(service);
  const killed = async function* () {
    for await (const chunk of noise(200)) {
      yield chunk;
      const halves = await storedIn(dataDir);
      if (halves.length > 0) service.child.kill("SIGKILL");
    }
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
