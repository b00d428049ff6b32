import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { describe, expect, test, type TestContext } from "vitest";
import { inParts } from "../../src/api/rest/json-response.ts";
import { closeServer, listen, portOf } from "../../src/app/http-server.ts";

type Fetch = Parameters<typeof listen>[0];
type Given = Pick<TestContext, "onTestFinished">;

const silent = pino({ level: "silent" });

/** Starts a server whose connections may make no progress for a short time. */
async function start({ onTestFinished }: Given, fetch: Fetch, MIN_READ_RATE = 0, windowMs = 200) {
  const settings = { HOST: "127.0.0.1", PORT: 0, MIN_READ_RATE, baseUrl: "" };
  const server = await listen(fetch, settings, silent, windowMs);
  onTestFinished(() => closeServer(server, AbortSignal.abort()));
  return { server, port: portOf(server) };
}

const size = 32 * 1024 * 1024;
const megabyte = 1024 * 1024;

/** Reads an answer of `size` bytes, some bytes every 50 ms; returns how many there were. */
async function readSlowly(
  { onTestFinished }: Given,
  port: number,
  bytesPerRead: number,
): Promise<number> {
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  let [read, sinceLast] = [0, 0];
  socket.on("data", (chunk: Buffer) => {
    read += chunk.length;
    sinceLast += chunk.length;
    if (sinceLast < bytesPerRead) return;
    sinceLast = 0;
    socket.pause();
    setTimeout(() => socket.resume(), 50);
  });
  await once(socket, "close");
  return read;
}

/** Answers of `size` bytes: in one piece, in parts, and as streams of a type. */
const response = () => new Response("x".repeat(size));
const parts = () => inParts("x".repeat(size), {});
const stream = (type: string) => () => {
  let left = size;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    controller.enqueue(new Uint8Array(64 * 1024));
    left -= 64 * 1024;
    if (left === 0) controller.close();
  };
  return new Response(new ReadableStream({ pull }), { headers: { "Content-Type": type } });
};

// Most of the time they wait.
describe.concurrent("the connection of a slow reader", () => {
  test("a client that does not read its answer loses the connection", async (context) => {
    const { server, port } = await start(context, () => new Response("x".repeat(size)));
    const ends = once(server, "connection").then(([there]) => once(there, "close"));
    const socket = connect({ port, host: "127.0.0.1" });
    context.onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    socket.pause();
    await ends;
    let read = 0;
    socket.on("data", (chunk: Buffer) => (read += chunk.length)).on("error", () => undefined);
    socket.resume();
    await once(socket, "close");
    expect(read).toBeLessThan(size);
  });

  test("a call that takes longer is answered, also on a connection that was used", async (context) => {
    const { port } = await start(context, async () => {
      await pause(600);
      return new Response("done");
    });
    for (let n = 0; n < 2; n++) {
      expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("done");
    }
  });

  test.for([
    ["an answer", response],
    ["a large answer of JSON", parts],
    ["a stream of bytes", stream("application/x-ndjson")],
  ] as const)(
    "a client that reads %s below the rate loses the connection",
    async ([, fetch], context) => {
      const { port } = await start(context, fetch, 20 * megabyte, 1_000);
      expect(await readSlowly(context, port, 64 * 1024)).toBeLessThan(size);
    },
  );

  test.for([
    ["an answer above the rate", response, 100_000],
    ["a large answer of JSON above the rate", parts, 100_000],
    ["events at any rate", stream("text/event-stream"), 200 * megabyte],
  ] as const)("a client reads %s to its end", async ([, fetch, rate], context) => {
    const { port } = await start(context, fetch, rate, 1_000);
    expect(await readSlowly(context, port, 4 * megabyte)).toBeGreaterThanOrEqual(size);
  });
});
