import { serve, type ServerType } from "@hono/node-server";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { recordUnsent } from "../../src/api/rest/connection.ts";

const megabyte = 1024 * 1024;

/** Serves answers that end when the test says so, and count as the bytes in their path. */
async function start() {
  const app = new Hono();
  const ends: (() => void)[] = [];
  app.get("/:client/:megabytes", (c) => {
    recordUnsent(c, c.req.param("client"), Number(c.req.param("megabytes")) * megabyte);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(1));
        ends.push(() => controller.close());
      },
    });
    return new Response(body);
  });
  const { server, port } = await new Promise<{ server: ServerType; port: number }>((resolve) => {
    const made = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, (info) =>
      resolve({ server: made, port: info.port }),
    );
  });
  const read = (path: string) => fetch(`http://127.0.0.1:${port}/${path}`);
  return { read, ends, close: () => void server.close() };
}

const isWhole = (response: Response) =>
  response.arrayBuffer().then(
    () => true,
    () => false,
  );

test("the client with the most unsent bytes loses its oldest answer, and no other does", async () => {
  const { read, ends, close } = await start();
  const first = await read("large/50");
  const other = await read("small/20");
  const second = await read("large/50");
  const third = await read("large/40");
  expect(await isWhole(first)).toBe(false);
  for (const end of ends.slice(1)) end();
  expect(await Promise.all([other, second, third].map(isWhole))).toEqual([true, true, true]);
  // Without the memory of the answers that were sent and ended, this one would be the largest.
  for (let whole = false; !whole;) {
    const response = await read("another/120");
    ends.at(-1)?.();
    whole = await isWhole(response);
  }
  close();
});
