import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { post } from "../../../src/platform/http/outgoing.ts";
import type { Outgoing } from "../../../src/platform/http/address-guard.ts";
import { fakeDns } from "../../support/dns.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { type Given, secret, sendTo } from "./send.ts";

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver({ secrets: [secret] });
});
afterEach(() => receiver.close());

const send = (given?: Given, deps?: Partial<Outgoing>) => sendTo(receiver.url, given, deps);

/** An attempt at a target that speaks as it is told; answers how it went, and how often it was called. */
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

describe("what goes wrong", () => {
  test.each([
    ["stall", "There was no answer within 0.15 s."],
    ["drip", "There was no answer within 0.15 s."],
    ["reset", "The connection was closed before an answer came."],
    ["cut", "The connection was closed in the middle of the answer."],
  ] as const)("a target that does %s is a failure", async (how, error) => {
    receiver.answer({ how });
    const result = await send({ timeoutMs: 150 });
    expect(result).toMatchObject({ ok: false, error });
    expect(result.statusCode).toBe(how === "drip" || how === "cut" ? 200 : undefined);
    expect(result.durationMs).toBeLessThan(1_000);
    await receiver.idle();
    expect(receiver.connections()).toBe(1);
  });

  test("a late answer is no answer", async () => {
    receiver.answer({ delayMs: 60_000 });
    expect(await send({ timeoutMs: 50 })).toMatchObject({
      ok: false,
      error: "There was no answer within 0.05 s.",
    });
    await receiver.idle();
  });

  test("a slow failure is still that failure", async () => {
    receiver.answer({ status: 500, how: "drip" });
    expect(await send({ timeoutMs: 100 })).toMatchObject({ error: "The target answered 500." });
  });

  test("the time for the name counts", async () => {
    const resolve = () => new Promise<string[]>(() => undefined);
    expect(await send({ url: "http://hooks.test/", timeoutMs: 50 }, { resolve })).toMatchObject({
      ok: false,
      error: "There was no answer within 0.05 s.",
    });
  });

  test("a name that is not there is said to be so", async () => {
    expect(await send({ url: "http://hooks.test/" })).toMatchObject({
      ok: false,
      error: "The host name could not be resolved.",
    });
  });

  test.each([[["127.0.0.1"]], [["127.0.0.1", "127.0.0.2", "::1"]]])(
    "a closed port at %j is said to be so",
    async (addresses) => {
      const gone = await startReceiver();
      await gone.close();
      const { resolve } = fakeDns({ "hooks.test": addresses });
      const policy = { allowHttp: true, allowedSubnets: ["127.0.0.0/8", "::1/128"] };
      expect(
        await send({ url: `http://hooks.test:${gone.port}/` }, { resolve, policy }),
      ).toMatchObject({ ok: false, error: "The connection was refused." });
    },
  );

  test("a handshake that hangs is cut off as well", async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on("error", () => undefined)));
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const address = silent.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    expect(await send({ url: `https://127.0.0.1:${port}/`, timeoutMs: 100 })).toMatchObject({
      ok: false,
      error: "There was no answer within 0.1 s.",
    });
    for (const socket of sockets) if (!socket.closed) await once(socket.resume(), "close");
    expect(sockets).toHaveLength(1);
    silent.close();
  });

  test.each([
    ["SSH-2.0-OpenSSH_9.2\r\n", "The target's answer is not valid HTTP."],
    [
      `HTTP/1.1 200 OK\r\nx: ${"x".repeat(100_000)}\r\n\r\n`,
      "The target's answer is not valid HTTP.",
    ],
    ["HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", /./],
    ["HTTP/1.1 000 Nothing\r\n\r\n", "The target's answer is not valid HTTP."],
    [
      "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok!",
      "The target's answer is not valid HTTP.",
    ],
    ["", "The connection was closed before an answer came."],
  ])("a target that is no web server is a failure %#", async (greeting, error) => {
    const { result, connections } = await sendRaw((socket) => socket.end(greeting));
    expect(result).toMatchObject({
      ok: false,
      error: typeof error === "string" ? error : expect.stringMatching(error),
    });
    expect(connections).toBe(1);
  });

  test("interim answers without end are not waited for", async () => {
    const { result } = await sendRaw((socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"));
      };
      socket.on("drain", pour);
      pour();
    });
    expect(result).toMatchObject({
      ok: false,
      error: "What the target sent before its answer had no end.",
    });
  });
});

describe("what is odd and no failure", () => {
  test.each([
    ["some interim answers", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(3), "204 No Content\r\n"],
    ["a 204 that speaks of a body", "", "204 No Content\r\ncontent-length: 5\r\n"],
  ])("%s", async (_, before, answer) => {
    const { result } = await sendRaw((socket) => socket.end(`${before}HTTP/1.1 ${answer}\r\n`));
    expect(result).toMatchObject({ ok: true, statusCode: 204 });
  });
});

describe("where it connects", () => {
  test("is the address that was checked, whatever the name says by then", async () => {
    const dns = fakeDns({ "hooks.test": [["127.0.0.1"], ["127.0.0.66"]] });
    expect(
      await send({ url: `http://hooks.test:${receiver.port}/` }, { resolve: dns.resolve }),
    ).toMatchObject({ ok: true });
    expect(dns.asked).toEqual(["hooks.test"]);
    expect(receiver.connections()).toBe(1);
  });

  test("is nowhere once the name has turned private", async () => {
    const dns = fakeDns({ "hooks.test": [["127.0.0.1"], ["169.254.169.254"]] });
    const url = `http://hooks.test:${receiver.port}/`;
    expect(await send({ url }, { resolve: dns.resolve })).toMatchObject({ ok: true });
    expect(await send({ url }, { resolve: dns.resolve })).toMatchObject({
      ok: false,
      error: "The address hooks.test is not allowed: it is not public.",
    });
    expect(dns.asked).toEqual(["hooks.test", "hooks.test"]);
    expect(receiver.connections()).toBe(1);
  });

  test("is another address of the name when the first is dead", async () => {
    const { resolve } = fakeDns({ "hooks.test": ["127.0.0.77", "127.0.0.1"] });
    expect(await send({ url: `http://hooks.test:${receiver.port}/` }, { resolve })).toMatchObject({
      ok: true,
    });
  });

  test.each(["127.0.0.1", "[::1]", "hooks.test"])(
    "is the address given for %s and never the one in the URL",
    async (host) => {
      const answer = await post({
        url: new URL(`http://${host}:${receiver.port}/`),
        addresses: ["127.0.0.2"],
        headers: {},
        body: "{}",
        signal: AbortSignal.timeout(1_000),
      }).catch((fault: unknown) => fault);
      expect(answer).toMatchObject({ code: "ECONNREFUSED" });
      expect(receiver.connections()).toBe(0);
    },
  );

  test("is no proxy", async () => {
    const proxy = await startReceiver();
    process.env["HTTP_PROXY"] = process.env["http_proxy"] = proxy.url;
    expect(await send()).toMatchObject({ ok: true });
    delete process.env["HTTP_PROXY"];
    delete process.env["http_proxy"];
    expect(proxy.connections()).toBe(0);
    await proxy.close();
  });
});
