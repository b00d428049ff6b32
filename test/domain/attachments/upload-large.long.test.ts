import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { pour, rows, start, stored, upload } from "./files.ts";

const app = useApp();
const mebibyte = 1024 * 1024;

test("a zip whose contents would fill the memory is stored without being opened", async () => {
  const { user, card } = await start(app());
  const bomb = zipOf("[Content_Types].xml", 200 * mebibyte);
  expect(bomb.byteLength).toBeLessThan(mebibyte);
  const before = process.memoryUsage().rss;
  const { status, body } = await upload(app(), user, card, bomb, { filename: "42.zip" });
  expect({ status, type: body.contentType }).toEqual({ status: 200, type: "application/zip" });
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * mebibyte);
});

test("exactly 50 MiB pass, and one byte more is 413 that leaves nothing behind", async () => {
  const { user, card, emitted } = await start(app());
  const full = await upload(app(), user, card, pour(50, mebibyte));
  expect(full).toMatchObject({ status: 200, body: { size: 50 * mebibyte } });
  const before = { rows: await rows(app()), files: await stored(app()) };
  const more = new ReadableStream<Uint8Array>({
    async start(controller) {
      for await (const chunk of pour(50, mebibyte)) controller.enqueue(chunk);
      controller.enqueue(new Uint8Array(1));
      controller.close();
    },
  });
  const reply = await upload(app(), user, card, more);
  expect(reply).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE", issues: [{}] } });
  expect({ rows: await rows(app()), files: await stored(app()) }).toEqual(before);
  expect(await emitted("attachment.created")).toHaveLength(1);
});

/** A zip of one file that unpacks to so many zeros. */
function zipOf(name: string, size: number): Buffer {
  const packed = deflateRawSync(Buffer.alloc(size));
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(packed.byteLength, 18);
  local.writeUInt32LE(size, 22);
  local.writeUInt16LE(name.length, 26);
  return Buffer.concat([local, Buffer.from(name), packed]);
}
