import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { closeServer, listen, portOf } from "../../src/app/http-server.ts";

const silent = pino({ level: "silent" });

/** Starts a server whose connections may make no progress for a short time. */
async function start(fetch: Parameters<typeof listen>[0], MIN_READ_RATE = 0, windowMs = 200) {
  const server = await listen(
    fetch,
    { HOST: "127.0.0.1", PORT: 0, MIN_READ_RATE },
    silent,
    windowMs,
  );
  onTestFinished(() => closeServer(server, AbortSignal.abort()));
  return { server, port: portOf(server) };
}

test("a client that does not read its answer loses the connection", async () => {
  const { server, port } = await start(() => new Response("x".repeat(32 * 1024 * 1024)));
  const ends = once(server, "connection").then(([there]) => once(there, "close"));
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  socket.pause();
  await ends;
  let size = 0;
  socket.on("data", (chunk: Buffer) => (size += chunk.length)).on("error", () => undefined);
  socket.resume();
  await once(socket, "close");
  expect(size).toBeLessThan(32 * 1024 * 1024);
});

test("a call that takes longer is answered, also on a connection that was used", async () => {
  const { port } = await start(async () => {
    await pause(600);
    return new Response("done");
  });
  for (let n = 0; n < 2; n++) {
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("done");
  }
});

const size = 32 * 1024 * 1024;
const megabyte = 1024 * 1024;

/** Reads an answer of `size` bytes, some bytes every 50 ms; returns how many there were. */
async function readSlowly(port: number, bytesPerRead: number): Promise<number> {
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

/** Answers of `size` bytes: in one piece, and as streams of a type. */
const answer = () => new Response("x".repeat(size));
const stream = (type: string) => () => {
  let left = size;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    controller.enqueue(new Uint8Array(64 * 1024));
    left -= 64 * 1024;
    if (left === 0) controller.close();
  };
  return new Response(new ReadableStream({ pull }), { headers: { "Content-Type": type } });
};

test.each([
  ["an answer", answer],
  ["a stream of bytes", stream("application/x-ndjson")],
])(
  "a client that reads %s below the rate loses the connection",
  async (_, fetch) => {
    const { port } = await start(fetch, 20 * megabyte, 1_000);
    expect(await readSlowly(port, 64 * 1024)).toBeLessThan(size);
  },
  20_000,
);

test.each([
  ["an answer above the rate", answer, 100_000],
  ["events at any rate", stream("text/event-stream"), 200 * megabyte],
])(
  "a client reads %s to its end",
  async (_, fetch, rate) => {
    const { port } = await start(fetch, rate, 1_000);
    expect(await readSlowly(port, 4 * megabyte)).toBeGreaterThanOrEqual(size);
  },
  20_000,
);
