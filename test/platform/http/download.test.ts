import { createServer } from "node:http";
import { once } from "node:events";
import { request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { inFileTime } from "../../../src/platform/http/download.ts";

/** A server that sends a byte at a time, without end. */
async function startDripping(): Promise<string> {
  const server = createServer((_, response) => {
    const timer = setInterval(() => response.write("x"), 10);
    response.on("close", () => clearInterval(timer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
}

test("a file that is sent byte by byte ends after the longest time", async () => {
  const url = await startDripping();
  let bytes = 0;
  const read = async (signal: AbortSignal) => {
    const { body } = await request(url, { signal });
    for await (const chunk of body) bytes += chunk.length;
  };
  await expect(inFileTime(new AbortController().signal, read, 300)).rejects.toMatchObject({
    failure: "NOT_FOUND",
  });
  expect(bytes).toBeGreaterThan(0);
});

test("a run that must stop ends a download with its own reason", async () => {
  const url = await startDripping();
  const stop = new AbortController();
  const reason = new Error("stopped");
  const read = async (signal: AbortSignal) => {
    const { body } = await request(url, { signal });
    for await (const _ of body) stop.abort(reason);
  };
  await expect(inFileTime(stop.signal, read)).rejects.toBe(reason);
});
