import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeCard, makeWorkspace } from "../../support/make.ts";
import { download, png, rows, start, stored, upload } from "./files.ts";
import { insertFiles } from "./many.ts";

const app = useApp();

describe("attachment.upload", () => {
  test("stores the bytes as they are, and the card shows the file", async () => {
    const { user, card } = await start(app());
    const reply = await upload(app(), user, card, png, { filename: "A picture.png" });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        kind: "file",
        filename: "A picture.png",
        contentType: "image/png",
        size: png.byteLength,
        url: `${app().deps.baseUrl}/api/v1/attachments/${reply.body.publicId}/content`,
        version: 1,
      },
    });
    expect(reply.headers.get("etag")).toBe('"1"');
    const { bytes } = await download(app(), user, reply.body.publicId);
    expect(bytes.equals(png)).toBe(true);
    const { cardPublicId, ...shown } = reply.body;
    expect(cardPublicId).toBe(card);
    expect(await user.trpc.card.get.query({ cardPublicId })).toMatchObject({
      attachments: [shown],
      attachmentCount: 1,
    });
    expect((await user.rest.get(`/cards/${card}`)).body.attachments).toEqual([shown]);
  });

  test("announces the file once, with its card", async () => {
    const { user, card, emitted } = await start(app());
    const { body } = await upload(app(), user, card, png);
    const { cardPublicId, ...attachment } = body;
    expect(await emitted("attachment.created")).toMatchObject([
      { isActivity: true, data: { attachment, card: { publicId: cardPublicId } } },
    ]);
  });

  test("takes the name from Content-Disposition, in either spelling", async () => {
    const { user, card } = await start(app());
    const named = async (disposition: string) =>
      (await upload(app(), user, card, png, { headers: { "Content-Disposition": disposition } }))
        .body.filename;
    expect(await named('attachment; filename="plain \\"name\\".png"')).toBe('plain "name".png');
    expect(await named("inline; filename=token.png; size=3")).toBe("token.png");
    expect(
      await named(`attachment; filename="x.png"; filename*=UTF-8''na%C3%AFve%20%E2%82%AC.png`),
    ).toBe("naïve €.png");
    expect(await named(Buffer.from('attachment; filename="übung.png"').toString("latin1"))).toBe(
      "übung.png",
    );
  });

  test("without a name, or with another field, is 400 and leaves nothing", async () => {
    const { user, card } = await start(app());
    const path = `/cards/${card}/attachments`;
    const before = (await rows(app())).length;
    expect(await user.rest.post(path, "x")).toMatchObject({
      status: 400,
      body: { issues: [{ path: ["filename"] }] },
    });
    expect(await user.rest.post(`${path}?filename=x&size=3`, "x")).toMatchObject({
      status: 400,
      body: { issues: [{ path: ["size"], message: "Unknown field" }] },
    });
    expect((await user.rest.post(`${path}?filename=a%00b`, "x")).status).toBe(400);
    expect(await rows(app())).toHaveLength(before);
  });

  test("an empty file is one, in a body and in a form, and is downloaded", async () => {
    const { user, card } = await start(app());
    const form = new FormData();
    form.set("file", new File([], "empty.csv", { type: "text/csv" }));
    const encoded = new Response(form);
    const type = encoded.headers.get("content-type") ?? "";
    const inForm = await app().fetch(
      new Request(`http://service/api/v1/cards/${card}/attachments`, {
        method: "POST",
        headers: { Authorization: `Bearer ${user.token}`, "Content-Type": type },
        body: await encoded.arrayBuffer(),
      }),
    );
    const headers = { "Content-Type": "text/plain" };
    const { body } = await upload(app(), user, card, "", { filename: "empty.txt", headers });
    expect(body).toMatchObject({ filename: "empty.txt", contentType: "text/plain", size: 0 });
    const other = (await inForm.json()) as { publicId: string };
    expect(other).toMatchObject({ filename: "empty.csv", size: 0 });
    for (const { publicId } of [body, other]) {
      const whole = await download(app(), user, publicId);
      expect([whole.status, whole.bytes.byteLength]).toEqual([200, 0]);
      expect(whole.headers.get("content-length")).toBe("0");
      const part = await download(app(), user, publicId, { headers: { Range: "bytes=0-" } });
      expect(part.status).toBe(416);
    }
  });

  test("a compressed file is 415", async () => {
    const { user, card } = await start(app());
    const headers = { "Content-Encoding": "gzip" };
    const { status, body } = await upload(app(), user, card, png, { headers });
    expect([status, body.issues[0].code]).toEqual([415, "file_encoded"]);
  });

  test.each([
    ["../../etc/passwd", "passwd"],
    ["..\\..\\windows\\system32\\evil.exe", ".._.._windows_system32_evil.exe"],
    ["a\\b.txt", "a_b.txt"],
    ["..", "file"],
    ["a/", "file"],
    ["invoice\u202Egnp.exe", "invoicegnp.exe"],
    ['x"\r\nSet-Cookie: a=b', 'x"Set-Cookie: a=b'],
    ["42".repeat(1_000) + ".zip", "42".repeat(1_000).slice(0, 251) + ".zip"],
    ["🙂".repeat(300), "🙂".repeat(255)],
  ])(
    "the name %.40j becomes %.40j, on the card and nowhere on the disk",
    async (filename, shown) => {
      const { user, card } = await start(app());
      const { status, body } = await upload(app(), user, card, png, { filename });
      expect({ status, filename: body.filename }).toEqual({ status: 200, filename: shown });
      const { headers } = await download(app(), user, body.publicId);
      expect(headers.get("content-disposition")).toMatch(
        /^attachment; filename="[ -!#-[\]-~]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]*$/,
      );
      expect(headers.has("set-cookie")).toBe(false);
      for (const path of await stored(app()))
        expect(path).toMatch(/\/files\/([0-9a-f]{2})\/\1[0-9a-f]{38}$/);
    },
  );

  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;
  test.each([
    ["an SVG with a script", svg, "image/svg+xml", "application/octet-stream"],
    [
      "the same with a prologue",
      `<?xml version="1.0"?>${svg}`,
      "image/svg+xml",
      "application/octet-stream",
    ],
    ["HTML", "<!doctype html><script>alert(1)</script>", "text/html", "application/octet-stream"],
    ["a script", "alert(1)", "text/javascript", "application/octet-stream"],
    [
      "HTML that is said to be a picture",
      "<script>alert(1)</script>",
      "image/png",
      "application/octet-stream",
    ],
    ["a picture that is said to be HTML", png, "text/html", "image/png"],
    ["plain text", "Grüße\n", "text/plain; charset=utf-8", "text/plain"],
    ["a table", "a,b\n1,2\n", "text/csv", "text/csv"],
    [
      "bytes that are said to be text",
      Buffer.from([0x61, 0, 0x62]),
      "text/plain",
      "application/octet-stream",
    ],
    [
      "Latin-1 that is said to be text",
      Buffer.from([0x61, 0xe9, 0x62]),
      "text/plain",
      "application/octet-stream",
    ],
    ["an invalid type", "x", "a/b\u00e9; <script>", "application/octet-stream"],
  ])("%s is stored under a type that nothing runs", async (_, bytes, contentType, shown) => {
    const { user, card } = await start(app());
    const { body } = await upload(app(), user, card, bytes, {
      headers: { "Content-Type": contentType },
    });
    expect(body.contentType).toBe(shown);
    const { headers, bytes: back } = await download(app(), user, body.publicId);
    expect(headers.get("content-type")).toBe(
      shown.startsWith("text/") ? `${shown}; charset=utf-8` : shown,
    );
    expect(back.equals(Buffer.from(bytes))).toBe(true);
  });

  test("an interrupted body is 400 and stores nothing", async () => {
    const { user, card } = await start(app());
    const before = { rows: await rows(app()), files: await stored(app()) };
    let chunks = 0;
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (chunks++ < 3) controller.enqueue(new Uint8Array(1000));
        else controller.error(new Error("gone"));
      },
    });
    const torn = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(new Error("gone")),
    });
    for (const body of [broken, torn]) {
      expect(await upload(app(), user, card, body)).toMatchObject({
        status: 400,
        body: { issues: [{ message: "The request body ended early.", code: "body_incomplete" }] },
      });
    }
    expect({ rows: await rows(app()), files: await stored(app()) }).toEqual(before);
  });

  test("to a card that is deleted during the upload is 404 and stores nothing", async () => {
    const { user, card } = await start(app());
    const before = { rows: await rows(app()), files: await stored(app()) };
    const slow = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(png);
        await user.rest.delete(`/cards/${card}`);
        controller.close();
      },
    });
    expect((await upload(app(), user, card, slow)).status).toBe(404);
    expect({ rows: await rows(app()), files: await stored(app()) }).toEqual(before);
  });

  test("emits the list of the card at the end of the upload", async () => {
    const { user, card, board, emitted } = await start(app());
    const slow = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(png);
        await user.rest.put(`/cards/${card}`, { listPublicId: board.lists[2] });
        controller.close();
      },
    });
    expect((await upload(app(), user, card, slow)).status).toBe(200);
    expect(await emitted("attachment.created")).toMatchObject([
      { data: { list: { publicId: board.lists[2] } } },
    ]);
  });

  test("is not shown before its last byte was stored", async () => {
    const { user, card } = await start(app());
    let shown: unknown;
    const slow = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(png);
        shown = (await user.rest.get(`/cards/${card}`)).body.attachmentCount;
        controller.close();
      },
    });
    await upload(app(), user, card, slow);
    expect(shown).toBe(0);
  });

  test("repeated with the same Idempotency-Key stores one file", async () => {
    const { user, card } = await start(app());
    const send = () => upload(app(), user, card, png, { headers: { "Idempotency-Key": "once" } });
    const [first, second] = [await send(), await send()];
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect((await user.rest.get(`/cards/${card}`)).body.attachmentCount).toBe(1);
  });

  test("stores the digest of the file", async () => {
    const { user, card } = await start(app());
    const { body } = await upload(app(), user, card, png);
    const row = await app().db.reader.attachment.findUniqueOrThrow({
      where: { publicId: body.publicId },
    });
    expect(row.sha256).toBe(createHash("sha256").update(png).digest("hex"));
    const path = (await stored(app())).find((one) => one.endsWith(row.storageKey ?? ""));
    expect((await readFile(path ?? "")).equals(png)).toBe(true);
  });

  test("over tRPC is 415 and says where to send the bytes", async () => {
    const { user, card } = await start(app());
    await expect(
      user.trpc.attachment.upload.mutate({ cardPublicId: card, filename: "x" }),
    ).rejects.toMatchObject({
      data: { code: "UNSUPPORTED_MEDIA_TYPE", httpStatus: 415, issues: [{ code: "rest_only" }] },
    });
  });

  test("needs card:edit in the card's own workspace, and stores nothing without", async () => {
    const { workspace, card } = await start(app());
    const guest = await join(app(), workspace, "guest");
    const { admin: stranger } = await makeWorkspace(app());
    const before = await rows(app());
    for (const user of [guest, stranger])
      expect((await upload(app(), user, card, png)).status).toBe(403);
    expect((await upload(app(), { token: "nonsense" }, card, png)).status).toBe(401);
    expect((await upload(app(), workspace.admin, "nowhere00000", png)).status).toBe(404);
    expect(await rows(app())).toEqual(before);
  });
});

describe("attachment quota", () => {
  const small = useApp({ env: { ATTACHMENTS_QUOTA: "1" } });

  test("a workspace over its quota gets 409, with or without a length, and stores nothing", async () => {
    const { user, card } = await start(small());
    const half = new Uint8Array(600 * 1024);
    expect((await upload(small(), user, card, half)).status).toBe(200);
    const before = { rows: await rows(small()), files: await stored(small()) };
    for (const headers of [{}, { "Content-Length": String(half.byteLength) }]) {
      expect(await upload(small(), user, card, half, { headers })).toMatchObject({
        status: 409,
        body: {
          issues: [
            {
              message:
                "The workspace exceeds its attachment quota of 1 MiB; files in the trash count.",
            },
          ],
        },
      });
    }
    expect({ rows: await rows(small()), files: await stored(small()) }).toEqual(before);
    const other = await start(small());
    expect((await upload(small(), other.user, other.card, half)).status).toBe(200);
  });

  test("many uploads at once do not get past the quota together", async () => {
    const { user, card } = await start(small());
    const part = new Uint8Array(300 * 1024);
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => upload(small(), user, card, part)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(3);
  });

  test("a card has at most 500", async () => {
    const { user, board, card } = await start(app());
    await insertFiles(app(), [card], 500);
    expect(await upload(app(), user, card, png)).toMatchObject({
      status: 409,
      body: {
        issues: [{ message: "A card has at most 500 attachments.", code: "limit_exceeded" }],
      },
    });
    const other = await makeCard(user, board.lists[0] ?? "");
    expect((await upload(app(), user, other, png)).status).toBe(200);
  });
});
