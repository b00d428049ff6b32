import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readStorageAddress } from "../../../src/platform/storage-address.ts";
import { openFiles } from "../../../src/platform/storage/open.ts";
import { newStorageKey } from "../../../src/platform/storage/store.ts";
import { purgeAttachments } from "../../../src/domain/attachments/purge.ts";
import { startApp, useApp, type App } from "../../support/app.ts";
import { join, makeWorkspace } from "../../support/make.ts";
import { startS3, type FakeS3 } from "../../support/s3.ts";
import { download, png, pour, rows, start, upload } from "./files.ts";

let s3: FakeS3;
let service: App;
const app = () => service;
beforeAll(async () => {
  s3 = await startS3();
  service = await startApp({ env: { STORAGE_URL: s3.storageUrl, ATTACHMENTS_QUOTA: "60" } });
});
beforeEach(() => s3.fail(undefined));
afterAll(async () => {
  await service.close();
  await s3.stop();
  const faults = [...s3.refusals, ...service.errors];
  if (faults.length > 0) throw new Error(faults.join("\n"));
});

const names = () => [...s3.objects.keys()];

/** Sends bytes to the address that was prepared. */
const send = (
  { url, method, headers }: { url: string; method: string; headers: Record<string, string> },
  body: Buffer,
) => fetch(url, { method, headers, body });

const announce = (size: number, contentType = "image/png") => ({
  filename: "a/b.png",
  contentType,
  size,
});

const prepared = async (bytes: Buffer, contentType?: string) => {
  const world = await start(app());
  const path = `/cards/${world.card}/attachments/upload-url`;
  const { status, body } = await world.user.rest.post(
    path,
    announce(bytes.byteLength, contentType),
  );
  expect(status).toBe(200);
  return { ...world, body, confirm: `/attachments/${body.attachmentPublicId}/confirm` };
};

describe("with S3 storage", () => {
  test("uploads are stored in the bucket, and downloads are read from it, whole and in part", async () => {
    const { user, card } = await start(app());
    const before = names();
    const { status, body } = await upload(app(), user, card, png, { filename: "x.png" });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { contentType: "image/png", size: png.byteLength },
    });
    const name = names().find((one) => !before.includes(one));
    expect(name).toMatch(/^\/files\/[0-9a-f]{40}$/);
    expect((await download(app(), user, body.publicId)).bytes.equals(png)).toBe(true);
    const part = await download(app(), user, body.publicId, { headers: { Range: "bytes=1-3" } });
    expect([part.status, part.bytes.toString()]).toEqual([206, "PNG"]);
  });

  test("an empty file is one: uploaded, prepared and downloaded", async () => {
    const empty = Buffer.alloc(0);
    const { user, card } = await start(app());
    const uploaded = await upload(app(), user, card, empty, { filename: "empty.txt" });
    const { body, confirm, user: other } = await prepared(empty, "text/plain");
    expect((await send(body, empty)).status).toBe(200);
    const confirmed = await other.rest.post(confirm);
    expect([uploaded, confirmed].map((reply) => [reply.status, reply.body.size])).toEqual([
      [200, 0],
      [200, 0],
    ]);
    for (const [who, { publicId }] of [
      [user, uploaded.body],
      [other, confirmed.body],
    ] as const)
      expect(await download(app(), who, publicId)).toMatchObject({ status: 200, bytes: empty });
  });

  test("an upload that exceeds the limit or is interrupted stores nothing in the bucket", async () => {
    const { user, card } = await start(app());
    const before = { rows: await rows(app()), names: names() };
    expect((await upload(app(), user, card, pour(51, 1024 * 1024))).status).toBe(413);
    const torn = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(new Error("gone")),
    });
    expect((await upload(app(), user, card, torn)).status).toBe(400);
    expect({ rows: await rows(app()), names: names() }).toEqual(before);
  });

  test.each([500, 503, 429, "cut"] as const)(
    "a storage that answers %s is 503, and the upload can be sent again",
    async (how) => {
      const { user, card } = await start(app());
      s3.fail(how);
      const reply = await upload(app(), user, card, png);
      expect(reply).toMatchObject({
        status: 503,
        body: {
          issues: [{ message: "The file storage does not answer.", code: "storage_unavailable" }],
        },
      });
      expect(reply.headers.get("retry-after")).toBe("1");
      s3.fail(undefined);
      const { body } = await upload(app(), user, card, png);
      s3.fail(how);
      expect((await download(app(), user, body.publicId)).status).toBe(503);
    },
  );

  test("files of an upload to a failed storage are purged after a day", async () => {
    const { user, card } = await start(app());
    s3.fail(500);
    await upload(app(), user, card, png);
    s3.fail(undefined);
    expect((await rows(app())).filter(({ status }) => status === "pending")).not.toEqual([]);
    app().advance(24 * 60 * 60 * 1000 + 1);
    expect(await purgeAttachments(app().deps, new Date(0))).toBeGreaterThan(0);
    expect((await rows(app())).filter(({ status }) => status === "pending")).toEqual([]);
  });

  test("removes, copies and checks files as the disk storage does", async () => {
    const files = await openFiles({
      STORAGE_URL: readStorageAddress(s3.storageUrl),
      DATA_DIR: "unused",
      MIN_FREE_SPACE: 0,
    });
    const [one, other] = [newStorageKey(), newStorageKey()];
    await files.put(one, pour(1, 5), 5);
    await files.copy(one, other);
    await files.remove(one);
    await files.remove(one);
    expect(await new Response(await files.get(other)).text()).toBe("aaaaa");
    await expect(files.get(one)).rejects.toThrow("does not exist");
    await expect(files.copy(one, newStorageKey())).rejects.toThrow("does not exist");
    await expect(async () => files.get("../x")).rejects.toThrow("Invalid storage key");
    await files.ping();
    s3.fail("cut");
    await expect(files.ping()).rejects.toMatchObject({ failure: "SERVICE_UNAVAILABLE" });
  });

  test("the storage refuses a wrong secret, and the error does not contain it", async () => {
    const wrong = s3.storageUrl.replace(/:[^@:/]+@/, ":another-secret@");
    const files = await openFiles({
      STORAGE_URL: readStorageAddress(wrong),
      DATA_DIR: "unused",
      MIN_FREE_SPACE: 0,
    });
    const error = await files
      .put(newStorageKey(), pour(1, 5), 5)
      .catch((thrown: unknown) => thrown);
    expect(String(error)).toContain("answered 403 to PUT");
    expect(String(error)).not.toContain("another-secret");
    expect(s3.refusals.splice(0)).toEqual(["the signature does not match"]);
  });
});

describe("attachment.prepare and attachment.confirm", () => {
  test("upload a file directly to the storage, and attach it", async () => {
    const { user, card, body, confirm, emitted } = await prepared(png);
    expect(body).toMatchObject({ method: "PUT", headers: { "content-type": "image/png" } });
    expect((await user.rest.get(`/cards/${card}`)).body.attachmentCount).toBe(0);
    expect((await send(body, png)).status).toBe(200);
    const done = await user.rest.post(confirm);
    expect(done).toMatchObject({
      status: 200,
      body: {
        publicId: body.attachmentPublicId,
        filename: "b.png",
        contentType: "image/png",
        size: png.byteLength,
      },
    });
    expect((await download(app(), user, body.attachmentPublicId)).bytes.equals(png)).toBe(true);
    const { cardPublicId, ...attachment } = done.body;
    expect(cardPublicId).toBe(card);
    expect((await user.rest.get(`/cards/${card}`)).body.attachments).toEqual([attachment]);
    expect(await emitted("attachment.created")).toMatchObject([
      { data: { attachment, card: { publicId: card } } },
    ]);
  });

  test("answer the same when called many times at once, and announce one file", async () => {
    const { user, body, confirm, emitted } = await prepared(png);
    await send(body, png);
    const replies = await Promise.all(Array.from({ length: 5 }, () => user.rest.post(confirm)));
    replies.push(await user.rest.post(confirm));
    for (const reply of replies)
      expect(reply).toMatchObject({ status: 200, body: replies[0]?.body });
    expect(await emitted("attachment.created")).toHaveLength(1);
  });

  test("store what is found, not what was announced", async () => {
    const svg = Buffer.from(
      `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`,
    );
    const { user, body, confirm } = await prepared(svg, "image/png");
    await send(body, svg);
    expect((await user.rest.post(confirm)).body.contentType).toBe("application/octet-stream");
  });

  test("refuse another size and another type at the storage, and nothing sent at all", async () => {
    const { user, body, confirm } = await prepared(png);
    expect((await send(body, Buffer.concat([png, png]))).status).toBe(403);
    expect((await send({ ...body, headers: { "content-type": "text/html" } }, png)).status).toBe(
      403,
    );
    expect(s3.refusals.splice(0)).toEqual(Array(2).fill("the signature does not match"));
    expect(await user.rest.post(confirm)).toMatchObject({
      status: 409,
      body: {
        issues: [
          {
            message: "The file is not uploaded yet. Send it to the prepared URL first.",
            code: "not_uploaded",
          },
        ],
      },
    });
    await send(body, png);
    expect((await user.rest.post(confirm)).status).toBe(200);
  });

  test("refuse a file of another size that got into the storage, and remove it", async () => {
    const { user, body, confirm } = await prepared(png);
    const key = new URL(body.url).pathname.replace("/boards", "");
    s3.objects.set(key, Buffer.alloc(7));
    expect(await user.rest.post(confirm)).toMatchObject({
      status: 409,
      body: {
        issues: [
          {
            message: `The file has 7 bytes instead of the expected ${png.byteLength}.`,
          },
        ],
      },
    });
    expect(names().filter((name) => name.endsWith(key.slice(-40)))).toEqual([]);
  });

  test("do not change after the confirmation, whatever is sent to the URL", async () => {
    const { user, body, confirm } = await prepared(png);
    await send(body, png);
    await user.rest.post(confirm);
    const other = Buffer.alloc(png.byteLength, "x");
    expect((await send(body, other)).status).toBe(200);
    expect((await user.rest.post(confirm)).status).toBe(200);
    expect((await download(app(), user, body.attachmentPublicId)).bytes.equals(png)).toBe(true);
  });

  test("bound what they are given", async () => {
    const { user, card } = await start(app());
    const path = `/cards/${card}/attachments/upload-url`;
    for (const wrong of [
      { size: -1 },
      { size: 50 * 1024 * 1024 + 1 },
      { size: 1.5 },
      { contentType: "image" },
      { contentType: "image/png\r\nx: y" },
      { filename: "" },
      { storageKey: "x" },
    ]) {
      expect((await user.rest.post(path, { ...announce(3), ...wrong })).status).toBe(400);
    }
    expect((await user.rest.post(path, announce(40 * 1024 * 1024))).status).toBe(200);
    expect((await user.rest.post(path, announce(40 * 1024 * 1024))).status).toBe(409);
  });

  test("an upload that is deleted before its confirmation has no event", async () => {
    const { user, body, confirm, emitted } = await prepared(png);
    expect((await user.rest.delete(`/attachments/${body.attachmentPublicId}`)).status).toBe(200);
    expect((await user.rest.post(confirm)).status).toBe(404);
    expect([await emitted("attachment.created"), await emitted("attachment.deleted")]).toEqual([
      [],
      [],
    ]);
  });

  test("need card:edit in the card's own workspace", async () => {
    const { workspace, card, confirm } = await prepared(png);
    const guest = await join(app(), workspace, "guest");
    const { admin: stranger } = await makeWorkspace(app());
    for (const user of [guest, stranger]) {
      expect(
        (await user.rest.post(`/cards/${card}/attachments/upload-url`, announce(3))).status,
      ).toBe(403);
      expect((await user.rest.post(confirm)).status).toBe(403);
    }
  });
});

describe("without S3 storage", () => {
  const local = useApp({ isolated: true });

  test("attachment.prepare is 409 and says what to do", async () => {
    const { user, card } = await start(local());
    expect(
      await user.rest.post(`/cards/${card}/attachments/upload-url`, announce(3)),
    ).toMatchObject({
      status: 409,
      body: {
        issues: [
          {
            message: "Direct uploads need S3 storage. Use attachment.upload instead.",
            code: "direct_upload_unavailable",
          },
        ],
      },
    });
    expect(await rows(local())).toEqual([]);
  });

  test("attachment.confirm answers a file that was uploaded", async () => {
    const { user, card } = await start(local());
    const { body } = await upload(local(), user, card, png);
    expect(await user.rest.post(`/attachments/${body.publicId}/confirm`)).toMatchObject({
      status: 200,
      body,
    });
  });
});
