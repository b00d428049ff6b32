import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { post } from "../../../src/platform/http/outgoing.ts";
import type { OutgoingOptions } from "../../../src/platform/http/address-guard.ts";
import { fakeDns } from "../../support/dns.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { type Given, secret, sendTo } from "./request.ts";

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver({ secrets: [secret], faultOf: () => undefined });
});
afterEach(() => receiver.close());

const send = (given?: Given, deps?: Partial<OutgoingOptions>) => sendTo(receiver.url, given, deps);

/** Sends a request to a raw TCP server; returns the result and the number of connections. */
async function sendRaw(speak: (socket: Socket) => unknown) {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    speak(socket.on("error", () => undefined));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const result = await send({ url: `http://127.0.0.1:${port}/` });
  server.close();
  return { result, connections };
}

describe("a failure", () => {
  test.each([
    ["stall", 2_000, "The receiver did not respond within 2 s."],
    ["drip", 5_000, "The receiver did not respond within 5 s."],
    ["reset", 10_000, "The receiver closed the connection without a response."],
    ["cut", 10_000, "The connection was closed before the response was complete."],
  ] as const)("of the behaviour %s is reported", async (how, timeoutMs, error) => {
    receiver.response({ how });
    const startedAt = performance.now();
    const result = await send({ timeoutMs });
    const took = performance.now() - startedAt;
    expect(result).toMatchObject({ ok: false, error });
    expect(result.statusCode).toBe(how === "drip" || how === "cut" ? 200 : undefined);
    expect(result.durationMs).toBeLessThanOrEqual(Math.ceil(took));
    await receiver.idle();
    expect(receiver.connections()).toBe(1);
  });

  test("is a response after the timeout", async () => {
    receiver.response({ delayMs: 60_000 });
    expect(await send({ timeoutMs: 50 })).toMatchObject({
      ok: false,
      error: "The receiver did not respond within 0.05 s.",
    });
    await receiver.idle();
  });

  test("with a slow body has the status of the response", async () => {
    receiver.response({ status: 500, how: "drip" });
    expect(await send({ timeoutMs: 5_000 })).toMatchObject({
      error: "The receiver responded with 500.",
    });
  });

  test("of a slow DNS server counts as a timeout", async () => {
    const resolve = () => new Promise<string[]>(() => undefined);
    expect(await send({ url: "http://hooks.test/", timeoutMs: 50 }, { resolve })).toMatchObject({
      ok: false,
      error: "The receiver did not respond within 0.05 s.",
    });
  });

  test("of an unknown host name is reported", async () => {
    expect(await send({ url: "http://hooks.test/" })).toMatchObject({
      ok: false,
      error: "The host name hooks.test cannot be resolved.",
    });
  });

  test.each([[["127.0.0.1"]], [["127.0.0.1", "127.0.0.2", "::1"]]])(
    "of a closed port at %j is reported",
    async (addresses) => {
      const gone = await startReceiver();
      await gone.close();
      const { resolve } = fakeDns({ "hooks.test": addresses });
      const policy = { allowHttp: true, allowedSubnets: ["127.0.0.0/8", "::1/128"] };
      expect(
        await send({ url: `http://hooks.test:${gone.port}/` }, { resolve, policy }),
      ).toMatchObject({ ok: false, error: "The receiver refused the connection." });
    },
  );

  test("of a TLS handshake without end is a timeout", async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on("error", () => undefined)));
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const address = silent.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    expect(await send({ url: `https://127.0.0.1:${port}/`, timeoutMs: 2_000 })).toMatchObject({
      ok: false,
      error: "The receiver did not respond within 2 s.",
    });
    for (const socket of sockets) if (!socket.closed) await once(socket.resume(), "close");
    expect(sockets).toHaveLength(1);
    silent.close();
  });

  test.each([
    ["SSH-2.0-OpenSSH_9.2\r\n", "The receiver's response is not valid HTTP."],
    [
      `HTTP/1.1 200 OK\r\nx: ${"x".repeat(100_000)}\r\n\r\n`,
      "The receiver's response is not valid HTTP.",
    ],
    ["HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", /./],
    ["HTTP/1.1 000 Nothing\r\n\r\n", "The receiver's response is not valid HTTP."],
    [
      "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok!",
      "The receiver's response is not valid HTTP.",
    ],
    ["", "The receiver closed the connection without a response."],
  ])("of a receiver that is no web server is reported %#", async (greeting, error) => {
    const { result, connections } = await sendRaw((socket) => socket.end(greeting));
    expect(result).toMatchObject({
      ok: false,
      error: typeof error === "string" ? error : expect.stringMatching(error),
    });
    expect(connections).toBe(1);
  });

  test("of endless interim responses is reported", async () => {
    const { result } = await sendRaw((socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"));
      };
      socket.on("drain", pour);
      pour();
    });
    expect(result).toMatchObject({
      ok: false,
      error: "The receiver sent too many interim (1xx) responses.",
    });
  });
});

describe("a success", () => {
  test.each([
    ["with interim responses", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(3), "204 No Content\r\n"],
    ["of a 204 with a Content-Length", "", "204 No Content\r\ncontent-length: 5\r\n"],
  ])("%s", async (_, before, response) => {
    const { result } = await sendRaw((socket) => socket.end(`${before}HTTP/1.1 ${response}\r\n`));
    expect(result).toMatchObject({ ok: true, statusCode: 204 });
  });
});

describe("the connection", () => {
  test("goes to the checked address, also when the name changes meanwhile", async () => {
    const dns = fakeDns({ "hooks.test": [["127.0.0.1"], ["127.0.0.66"]] });
    expect(
      await send({ url: `http://hooks.test:${receiver.port}/` }, { resolve: dns.resolve }),
    ).toMatchObject({ ok: true });
    expect(dns.asked).toEqual(["hooks.test"]);
    expect(receiver.connections()).toBe(1);
  });

  test("is not made when the name has become private", async () => {
    const dns = fakeDns({ "hooks.test": [["127.0.0.1"], ["169.254.169.254"]] });
    const url = `http://hooks.test:${receiver.port}/`;
    expect(await send({ url }, { resolve: dns.resolve })).toMatchObject({ ok: true });
    expect(await send({ url }, { resolve: dns.resolve })).toMatchObject({
      ok: false,
      error: "The host hooks.test is not allowed: its address is not public.",
    });
    expect(dns.asked).toEqual(["hooks.test", "hooks.test"]);
    expect(receiver.connections()).toBe(1);
  });

  test("goes to the second address when the first is dead", async () => {
    const { resolve } = fakeDns({ "hooks.test": ["127.0.0.77", "127.0.0.1"] });
    expect(await send({ url: `http://hooks.test:${receiver.port}/` }, { resolve })).toMatchObject({
      ok: true,
    });
  });

  test.each(["127.0.0.1", "[::1]", "hooks.test"])(
    "goes to the given address for %s, never to the one in the URL",
    async (host) => {
      const response = await post(
        { url: new URL(`http://${host}:${receiver.port}/`), addresses: ["127.0.0.2"] },
        { body: "{}", version: "1.2.3", signal: AbortSignal.timeout(20_000) },
      ).catch((fault: unknown) => fault);
      expect(response).toMatchObject({ code: "ECONNREFUSED" });
      expect(receiver.connections()).toBe(0);
    },
  );

  test("does not use a proxy", async () => {
    const proxy = await startReceiver();
    for (const name of ["HTTP_PROXY", "http_proxy"]) vi.stubEnv(name, proxy.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await send()).toMatchObject({ ok: true });
    expect(proxy.connections()).toBe(0);
    await proxy.close();
  });
});
