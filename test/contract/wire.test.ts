import { once } from "node:events";
import { connect } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../src/app/http-application.ts";
import { useApp } from "../support/app.ts";
import { listen } from "../support/listen.ts";
import { chunks } from "./raw.ts";
import { makeWorld, type World } from "./world.ts";

const app = useApp();
let world: World;
let port: number;
beforeAll(async () => {
  world = await makeWorld(app());
  const { fetch } = createApp(app().deps);
  const server = await listen(fetch);
  port = server.port;
  return server.close;
});

const url = (path: string) => `http://127.0.0.1:${port}/api/v1${path}`;
const headers = () => ({
  Authorization: `Bearer ${world.admin.token}`,
  "Content-Type": "application/json",
});
const tooLarge = { code: "PAYLOAD_TOO_LARGE", message: "Payload too large", issues: [{}] };

/** Writes bytes to a new connection and returns the response until the service closes it. */
async function speak(...parts: (string | Uint8Array)[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const received: Buffer[] = [];
  socket.on("data", (bytes: Buffer) => received.push(bytes));
  for (const part of parts) socket.write(part);
  await once(socket, "close");
  return Buffer.concat(received).toString();
}
const request = (line: string, ...more: string[]) =>
  [
    `${line} HTTP/1.1`,
    ...(more.some((each) => each.startsWith("Host:")) ? [] : ["Host: service"]),
    "Connection: close",
    `Authorization: Bearer ${world.admin.token}`,
    ...more,
    "",
    "",
  ].join("\r\n");
const statusOf = (response: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]);

describe("a body over the limit", () => {
  test("is 413 with a length and with chunks, and the service continues", async () => {
    for (const body of [new Uint8Array(2 * 1024 * 1024).fill(32), chunks(64).stream]) {
      const reply = await fetch(url("/lists"), {
        method: "POST",
        headers: headers(),
        body,
        ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
      });
      expect(reply.status).toBe(413);
      expect(await reply.json()).toMatchObject(tooLarge);
    }
    const after = await fetch(url("/workspaces"), { headers: headers() });
    expect(after.status).toBe(200);
    await after.arrayBuffer();
  });

  test("is rejected by its length, before any byte", async () => {
    const response = await speak(
      request(
        "POST /api/v1/lists",
        "Content-Type: application/json",
        `Content-Length: ${2 * 1024 * 1024}`,
        "Expect: 100-continue",
      ),
    );
    expect(response).toMatch(/HTTP\/1\.1 413 /);
    expect(response).toContain('"PAYLOAD_TOO_LARGE"');
  });
});

describe("a raw connection", () => {
  test("a POST without a body works", async () => {
    const path = `/api/v1/workspaces/${world.workspace.publicId}/webhooks/${world.webhook}/test`;
    for (const more of [[], ["Content-Length: 0"]]) {
      const response = await speak(request(`POST ${path}`, ...more));
      expect(statusOf(response)).toBe(200);
      expect(response).toContain('"success":false');
    }
  });

  test.each([
    "GET /api/v1/cards/%zz%zz%zz%zz%zz%zz",
    "GET /api/v1/cards/%",
    "GET /api/v1/cards/%00%00%00%00%00%00%00%00%00%00%00%00",
    "GET /api/v1/cards/%ff%ff%ff%ff%ff%ff%ff%ff%ff%ff%ff%ff",
    "GET /api/v1/cards/..%2f..%2f..%2f..%2fetc%2fpasswd",
    "GET /api/v1/cards/../../../../../../etc/passwd",
    "GET /api/v1/workspaces?deleted=%zz",
    "GET /api/v1/users/me?%00=%00",
    "GET /api/v1/workspaces?deleted=%ff",
    "GET /api/v1/users/me?=&=&&&",
    "GET //api/v1/workspaces",
    "GET /\\..\\api\\v1\\workspaces",
    "GET http://[::1/api/v1/workspaces",
    "GET *",
    "OPTIONS *",
    "GET /api/v1/w\u00f6rkspaces",
    "TRACE /api/v1/workspaces",
    "BREW /api/v1/workspaces",
    "CONNECT service:443",
    "GET /trpc/%zz",
    "GET /trpc/workspace.list?input=%zz",
    "GET /trpc/workspace.list?input=%00",
  ])("%s is a client error", async (line) => {
    const status = statusOf(await speak(request(line)));
    // Node closes the connection for input that is not HTTP.
    if (!Number.isNaN(status)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  });

  test.each([
    "Host: [",
    "Host: a b",
    "Host: a/b",
    "Host: @",
    "Host: ",
    "Host: %zz",
    "Host: a:999999",
  ])("%s is not a 5xx", async (host) => {
    const status = statusOf(await speak(request("GET /api/v1/workspaces", host)));
    expect(status).toBeLessThan(500);
  });

  test.each([
    ["a length that is not a number", "Content-Length: 1x"],
    ["a length below zero", "Content-Length: -1"],
    ["two lengths", "Content-Length: 2\r\nContent-Length: 3"],
    ["a length and chunks", "Content-Length: 2\r\nTransfer-Encoding: chunked"],
    ["invalid chunks", "Transfer-Encoding: chunked"],
  ])("%s is 400", async (_, header) => {
    const head = request("POST /api/v1/lists", "Content-Type: application/json", header);
    expect(statusOf(await speak(head, "{}zz\r\n"))).toBe(400);
  });

  test.each(["/api/v1/lists", "/trpc/list.create"])(
    "a body that is cut off at %s is not a 5xx",
    async (path) => {
      const lengths = ["Content-Length: 1000", "Transfer-Encoding: chunked"];
      for (const length of lengths) {
        const socket = connect(port, "127.0.0.1");
        socket.write(request(`POST ${path}`, "Content-Type: application/json", length));
        socket.write(length.startsWith("C") ? '{"name":' : '8\r\n{"name":\r\n');
        const meanwhile = await fetch(url("/workspaces"), { headers: headers() });
        expect(meanwhile.status).toBe(200);
        socket.destroy();
        await once(socket, "close");
        const after = await fetch(url("/workspaces"), { headers: headers() });
        expect([after.status, app().errors]).toEqual([200, []]);
      }
    },
  );
});
