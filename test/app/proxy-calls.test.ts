import { once } from "node:events";
import { connect } from "node:net";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { closeServer, listen, portOf } from "../../src/app/http-server.ts";

const silent = pino({ level: "silent" });

test("a client that calls for a proxy and leaves its end open does not delay a stop", async () => {
  const address = { HOST: "127.0.0.1", PORT: 0, MIN_READ_RATE: 0, baseUrl: "" };
  const server = await listen(() => new Response("done"), address, silent);
  const socket = connect({ port: portOf(server), host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.write("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n");
  let received = "";
  socket.on("data", (chunk) => (received += String(chunk)));
  await once(socket, "end");
  await closeServer(server, AbortSignal.abort());
  expect(received).toMatch(/^HTTP\/1\.1 400 /);
});
