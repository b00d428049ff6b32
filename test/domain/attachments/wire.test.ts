import { once } from "node:events";
import { connect } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { useApp } from "../../support/app.ts";
import { listen } from "../../support/listen.ts";
import { download, png, rows, start, stored, upload } from "./files.ts";

const app = useApp();
let port: number;
let world: Awaited<ReturnType<typeof start>>;
/** Resolves when an upload has been forgotten. */
let forgotten: () => Promise<void>;
beforeAll(async () => {
  world = await start(app());
  const { files, ...deps } = app().deps;
  let wake: (() => void)[] = [];
  forgotten = () => new Promise((resolve) => wake.push(resolve));
  const watched = {
    ...files,
    async remove(key: string) {
      await files.remove(key);
      for (const one of wake.splice(0)) one();
    },
  };
  const { fetch } = createApp({ ...deps, files: watched });
  const server = await listen(fetch);
  port = server.port;
  return server.close;
});

const request = (...more: string[]) =>
  [
    `POST /api/v1/cards/${world.card}/attachments?filename=x HTTP/1.1`,
    "Host: service",
    `Authorization: Bearer ${world.user.token}`,
    ...more,
    "",
    "",
  ].join("\r\n");

/**
 * Writes bytes to a connection of its own; answers all that comes back until the service ends it.
 */
async function speak(...parts: (string | Uint8Array)[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const received: Buffer[] = [];
  socket.on("data", (bytes: Buffer) => received.push(bytes));
  for (const part of parts) socket.write(part);
  await once(socket, "close");
  return Buffer.concat(received).toString();
}

const state = async () => ({ files: await stored(app()), rows: await rows(app()) });

describe("an upload over the wire", () => {
  test("that declares over 50 MiB is 413 before a byte is sent", async () => {
    const before = await state();
    const response = await speak(
      request(
        "Connection: close",
        `Content-Length: ${50 * 1024 * 1024 + 1}`,
        "Expect: 100-continue",
      ),
    );
    expect(response).toMatch(/^HTTP\/1\.1 413 /m);
    expect(response).toContain('"The request body must not exceed 52428800 bytes."');
    expect(await state()).toEqual(before);
  });

  test("that ends before its declared length stores nothing", async () => {
    const before = await state();
    const gone = forgotten();
    const socket = connect(port, "127.0.0.1").resume();
    socket.write(request("Content-Length: 1000000"));
    socket.write(png);
    socket.end();
    await once(socket, "close");
    await gone;
    await expectSettled(before);
  });

  test("whose client disconnects stores nothing", async () => {
    const before = await state();
    const gone = forgotten();
    const socket = connect(port, "127.0.0.1");
    socket.write(request("Transfer-Encoding: chunked"));
    socket.write(`${png.byteLength.toString(16)}\r\n`);
    socket.write(png, () => socket.resetAndDestroy());
    await gone;
    await expectSettled(before);
  });

  test("that exceeds its declared length is cut there, and the rest is 400", async () => {
    const response = await speak(
      request("Content-Length: 4", "Connection: keep-alive"),
      "123456789\r\n\r\n",
    );
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    const latest = async () => (await rows(app())).at(-1);
    await expect.poll(latest, { interval: 10 }).toMatchObject({ status: "stored", size: 4n });
  });

  test("with two lengths, or a length and chunks, is 400", async () => {
    const before = await state();
    expect(await speak(request("Content-Length: 4", "Content-Length: 5"), "12345")).toMatch(
      /^HTTP\/1\.1 400 /,
    );
    expect(
      await speak(
        request("Content-Length: 4", "Transfer-Encoding: chunked"),
        "1\r\n1\r\n0\r\n\r\n",
      ),
    ).toMatch(/^HTTP\/1\.1 400 /);
    expect(await state()).toEqual(before);
  });

  test("in chunks is stored whole", async () => {
    const response = await speak(
      request("Transfer-Encoding: chunked", "Connection: close", "Content-Type: text/plain"),
      "5\r\nhello\r\n",
      "6\r\n world\r\n0\r\n\r\n",
    );
    expect(response).toContain('"size":11');
  });

  test("without an end is 413 as soon as it is over 50 MiB, and the service continues", async () => {
    const before = await state();
    const socket = connect(port, "127.0.0.1");
    // The service closes the connection during the upload.
    socket.on("error", () => undefined);
    const received: Buffer[] = [];
    socket.on("data", (bytes: Buffer) => received.push(bytes));
    socket.write(request("Transfer-Encoding: chunked", "Connection: close"));
    const chunk = Buffer.concat([
      Buffer.from("100000\r\n"),
      Buffer.alloc(1024 * 1024),
      Buffer.from("\r\n"),
    ]);
    const send = () => void (socket.writable && socket.write(chunk, send));
    send();
    await new Promise((closed) => socket.on("close", closed));
    expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 413 /);
    await expectSettled(before);
    expect((await upload(app(), world.user, world.card, png)).status).toBe(200);
  });
});

describe("a download over the wire", () => {
  test("has its length, whole and in part, and to HEAD no body", async () => {
    const { body } = await upload(app(), world.user, world.card, png);
    const url = `http://127.0.0.1:${port}/api/v1/attachments/${body.publicId}/content`;
    const headers = { Authorization: `Bearer ${world.user.token}` };
    const whole = await fetch(url, { headers });
    expect(whole.headers.get("content-length")).toBe(String(png.byteLength));
    expect(whole.headers.get("transfer-encoding")).toBeNull();
    expect(Buffer.from(await whole.arrayBuffer()).equals(png)).toBe(true);
    const part = await fetch(url, { headers: { ...headers, Range: "bytes=1-3" } });
    expect([part.status, part.headers.get("content-length"), await part.text()]).toEqual([
      206,
      "3",
      "PNG",
    ]);
    const head = await fetch(url, { method: "HEAD", headers });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      String(png.byteLength),
      "",
    ]);
    expect((await download(app(), world.user, body.publicId)).status).toBe(200);
  });
});

/**
 * Waits until the storage and the table are as they were: what is forgotten goes file by file, then
 * the row.
 */
async function expectSettled(before: Awaited<ReturnType<typeof state>>) {
  await expect.poll(state, { interval: 10 }).toEqual(before);
}
