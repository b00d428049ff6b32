import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { closeServer, listen, portOf } from "../../src/app/http-server.ts";

/** Starts a server whose connections may make no progress for a short time. */
async function start(fetch: Parameters<typeof listen>[0]) {
  const server = await listen(fetch, { HOST: "127.0.0.1", PORT: 0 }, 200);
  onTestFinished(() => closeServer(server, AbortSignal.abort()));
  return portOf(server);
}

test("a client that does not read its answer loses the connection", async () => {
  const port = await start(() => new Response("x".repeat(32 * 1024 * 1024)));
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  socket.pause();
  await pause(1_500);
  let size = 0;
  socket.on("data", (chunk: Buffer) => (size += chunk.length)).on("error", () => undefined);
  socket.resume();
  await once(socket, "close");
  expect(size).toBeLessThan(32 * 1024 * 1024);
});

test("a call that takes longer is answered, also on a connection that was used", async () => {
  const port = await start(async () => {
    await pause(600);
    return new Response("done");
  });
  for (let n = 0; n < 2; n++) {
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("done");
  }
});
