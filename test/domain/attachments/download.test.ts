import fc from "../../support/fast-check.ts";
import { describe, expect, test } from "vitest";
import { attached, nameIn } from "../../../src/platform/http/disposition.ts";
import { cleanName } from "../../../src/domain/attachments/file.ts";
import { useApp } from "../../support/app.ts";
import { join, makeWorkspace } from "../../support/make.ts";
import { download, start, stored, upload } from "./files.ts";
import { insertPending } from "./many.ts";
import { insertLink } from "../../support/rows.ts";

const app = useApp();
const text = "0123456789";

const withText = async () => {
  const world = await start(app());
  const headers = { "Content-Type": "text/plain" };
  const { body } = await upload(app(), world.user, world.card, text, {
    filename: "digits.txt",
    headers,
  });
  const get = (asked: Record<string, string> = {}, method = "GET") =>
    download(app(), world.user, body.publicId, { headers: asked, method });
  return { ...world, id: String(body.publicId), get };
};

describe("attachment.download", () => {
  test("answers the bytes as a download that no browser runs", async () => {
    const { get } = await withText();
    const { status, headers, bytes } = await get();
    expect({ status, text: bytes.toString(), headers: Object.fromEntries(headers) }).toMatchObject({
      status: 200,
      text,
      headers: {
        "content-type": "text/plain; charset=utf-8",
        "content-length": "10",
        "content-disposition": `attachment; filename="digits.txt"; filename*=UTF-8''digits.txt`,
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox; default-src 'none'",
        "cache-control": "private, no-cache",
        "accept-ranges": "bytes",
        etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
        "x-request-id": expect.any(String),
        ratelimit: expect.any(String),
      },
    });
  });

  test.each([
    ["bytes=0-3", 206, "0123", "bytes 0-3/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=-2", 206, "89", "bytes 8-9/10"],
    ["bytes=-99", 206, text, "bytes 0-9/10"],
    ["bytes=5-99", 206, "56789", "bytes 5-9/10"],
    ["bytes=9-9", 206, "9", "bytes 9-9/10"],
    ["bytes=0-1,4-5", 200, text, null],
    ["bytes=5-3", 200, text, null],
    ["bytes=-", 200, text, null],
    ["bytes=x-y", 200, text, null],
    ["lines=0-3", 200, text, null],
  ])("with Range: %s answers %i", async (range, status, answered, part) => {
    const { get } = await withText();
    const reply = await get({ Range: range });
    expect([reply.status, reply.bytes.toString(), reply.headers.get("content-range")]).toEqual([
      status,
      answered,
      part,
    ]);
    expect(reply.headers.get("content-length")).toBe(String(answered.length));
    expect(reply.headers.get("content-disposition")).toMatch(/^attachment;/);
  });

  test.each(["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999-"])(
    "with Range: %s answers 416 with the size",
    async (range) => {
      const { get } = await withText();
      const { status, headers, bytes } = await get({ Range: range });
      expect([status, headers.get("content-range")]).toEqual([416, "bytes */10"]);
      expect(JSON.parse(bytes.toString())).toEqual({
        code: "RANGE_NOT_SATISFIABLE",
        message: "Range not satisfiable",
        issues: [
          {
            message: "The range is outside the file, which has 10 bytes.",
            code: "range_not_satisfiable",
          },
        ],
      });
    },
  );

  test("continues a range only while the file is unchanged", async () => {
    const { get } = await withText();
    const etag = (await get()).headers.get("etag") ?? "";
    const part = { Range: "bytes=2-4" };
    expect((await get({ ...part, "If-Range": etag })).bytes.toString()).toBe("234");
    expect((await get({ ...part, "If-Range": '"another"' })).bytes.toString()).toBe(text);
  });

  test("answers 304 to a client that has the file", async () => {
    const { get } = await withText();
    const etag = (await get()).headers.get("etag") ?? "";
    for (const header of [etag, `"x", W/${etag}`, "*"]) {
      const { status, bytes } = await get({ "If-None-Match": header });
      expect([status, bytes.byteLength]).toEqual([304, 0]);
    }
    expect((await get({ "If-None-Match": '"x"' })).status).toBe(200);
  });

  test("to HEAD answers the headers alone", async () => {
    const { get } = await withText();
    const { status, headers, bytes } = await get({ Range: "bytes=0-1" }, "HEAD");
    expect([status, headers.get("content-length"), bytes.byteLength]).toEqual([200, "10", 0]);
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  test("over tRPC answers the attachment with the address of its bytes", async () => {
    const { user, id } = await withText();
    const shown = await user.trpc.attachment.download.query({ attachmentPublicId: id });
    expect(shown).toMatchObject({ publicId: id, filename: "digits.txt", size: 10 });
    const reply = await app().fetch(
      new Request(shown.url, { headers: { Authorization: `Bearer ${user.token}` } }),
    );
    expect(await reply.text()).toBe(text);
  });

  test("of a link, and of a file that is not uploaded yet, is 404", async () => {
    const { user, card, id } = await withText();
    const link = await insertLink(app(), card, "https://example.com/x");
    const pending = await insertPending(app(), card, "0".repeat(40));
    expect(await user.rest.get(`/attachments/${link}/content`)).toMatchObject({
      status: 404,
      body: { issues: [{ code: "is_link" }] },
    });
    expect((await user.rest.get(`/attachments/${pending}/content`)).status).toBe(404);
    const { body } = await user.rest.get(`/cards/${card}`);
    expect(body.attachments).toMatchObject([
      { publicId: id },
      { kind: "link", url: "https://example.com/x", size: null },
    ]);
    expect(body.attachmentCount).toBe(2);
  });

  test("needs card:view in the card's own workspace", async () => {
    const { workspace, id } = await withText();
    const guest = await join(app(), workspace, "guest");
    const { admin: stranger } = await makeWorkspace(app());
    expect((await download(app(), guest, id)).status).toBe(200);
    expect((await download(app(), stranger, id)).status).toBe(403);
    expect((await download(app(), { token: "nonsense" }, id)).status).toBe(401);
    expect((await download(app(), guest, "nowhere00000")).status).toBe(404);
  });

  test("is deleted with its card", async () => {
    const { user, card, id, get } = await withText();
    await user.rest.delete(`/cards/${card}`);
    expect((await get()).status).toBe(404);
    expect((await stored(app())).length).toBeGreaterThan(0);
    expect((await user.rest.delete(`/attachments/${id}`)).status).toBe(404);
  });
});

describe("attachment.delete", () => {
  test("removes the file from the card, with one event", async () => {
    const { user, card, id, get, emitted } = await withText();
    expect(await user.rest.delete(`/attachments/${id}`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect((await user.rest.delete(`/attachments/${id}`)).status).toBe(404);
    expect((await get()).status).toBe(404);
    expect((await user.rest.get(`/cards/${card}`)).body).toMatchObject({
      attachments: [],
      attachmentCount: 0,
    });
    expect(await emitted("attachment.deleted")).toMatchObject([
      { data: { attachment: { publicId: id, version: 2 }, card: { publicId: card } } },
    ]);
  });

  test("compares If-Match", async () => {
    const { user, id } = await withText();
    const path = `/attachments/${id}`;
    expect(
      (await user.rest.delete(path, undefined, { headers: { "If-Match": '"7"' } })).status,
    ).toBe(412);
    expect(
      (await user.rest.delete(path, undefined, { headers: { "If-Match": '"1"' } })).status,
    ).toBe(200);
  });

  test("needs card:edit in the card's own workspace", async () => {
    const { workspace, id } = await withText();
    const guest = await join(app(), workspace, "guest");
    const { admin: stranger } = await makeWorkspace(app());
    for (const user of [guest, stranger]) {
      expect((await user.rest.delete(`/attachments/${id}`)).status).toBe(403);
    }
  });
});

describe("the name of a file", () => {
  test("is unchanged by a header, whatever its characters", () => {
    const named = fc.string({ unit: "binary", minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(named, (given) => {
        const name = cleanName(given.toWellFormed());
        const header = attached(name);
        expect(header).toMatch(/^[ -~]*$/);
        expect(new Headers({ "Content-Disposition": header }).get("content-disposition")).toBe(
          header,
        );
        expect(nameIn(header)).toBe(name);
        expect(name).not.toMatch(/[/\\]|(?![\u200C\u200D])[\p{Cc}\p{Cf}]/u);
        expect(Array.from(name).length).toBeLessThanOrEqual(255);
        expect(cleanName(name)).toBe(name);
      }),
      { numRuns: 500 },
    );
  });

  test("is undefined where a header has no name, and never an error", () => {
    fc.assert(fc.property(fc.string(), (header) => void nameIn(header)));
    for (const header of [
      undefined,
      "",
      "attachment",
      "attachment; filename",
      "attachment; filename*=UTF-8''%zz",
    ]) {
      expect(nameIn(header)).toBeUndefined();
    }
    expect(nameIn(`attachment; filename*=UTF-8''%ff; filename="plain"`)).toBe("plain");
  });
});
