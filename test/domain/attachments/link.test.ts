import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { publicId } from "../../../src/platform/db/public-id.ts";
import { download, start } from "./files.ts";
import { insertFiles } from "./many.ts";

const app = useApp();
const url = "https://example.com/plan?of=march#top";

describe("attachment.link", () => {
  test("attaches an address, which the card and its event show", async () => {
    const { user, card, emitted } = await start(app());
    const reply = await user.rest.post(`/cards/${card}/attachments/link`, { url, name: "Plan" });
    const { cardPublicId, ...attachment } = reply.body;
    expect(cardPublicId).toBe(card);
    expect(attachment).toMatchObject({ kind: "link", filename: "Plan", url, size: null });
    expect(reply.headers.get("etag")).toBe('"1"');
    const shown = await user.rest.get(`/cards/${card}`);
    expect(shown.body).toMatchObject({ attachments: [attachment], attachmentCount: 1 });
    expect(await emitted("attachment.created")).toMatchObject([
      { isActivity: true, data: { attachment, card: { publicId: card } } },
    ]);
    expect((await download(app(), user, attachment.publicId)).status).toBe(404);
  });

  test("is named by its URL without a name", async () => {
    const { user, card } = await start(app());
    const long = `https://example.com/${"a".repeat(300)}`;
    const path = `/cards/${card}/attachments/link`;
    expect((await user.rest.post(path, { url })).body.filename).toBe(url);
    expect((await user.rest.post(path, { url: long })).body.filename).toBe(long.slice(0, 255));
  });

  test("is what JSON without the name of a file means where files are attached", async () => {
    const { user, card } = await start(app());
    const path = `/cards/${card}/attachments`;
    const reply = await user.rest.post(path, { url, name: "Plan" });
    expect([reply.status, reply.body.kind, reply.body.url]).toEqual([200, "link", url]);
    const file = await user.rest.post(`${path}?filename=a.json`, { url });
    expect([file.status, file.body.kind]).toEqual([200, "file"]);
    const refused = await user.rest.post(`${path}?filename=a.pdf`, { url });
    expect([refused.status, refused.body.issues[0].code]).toEqual([415, "file_is_json"]);
    expect((await user.rest.post(path, {})).status).toBe(400);
  });

  test("answers a repeated call with the link that it made", async () => {
    const { user, card } = await start(app());
    const input = { cardPublicId: card, url, publicId: publicId() };
    const first = await user.trpc.attachment.link.mutate(input);
    expect(await user.trpc.attachment.link.mutate(input)).toEqual(first);
    expect((await user.rest.get(`/cards/${card}`)).body.attachments).toHaveLength(1);
  });

  test.each([
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "ftp://example.com/a",
    "//example.com",
    "example.com",
    "https://",
    "http:example.com",
    `https://example.com/${"a".repeat(2_048)}`,
    "https://example.com/\0",
  ])("refuses %j", async (refused) => {
    const { user, card } = await start(app());
    const reply = await user.rest.post(`/cards/${card}/attachments`, { url: refused });
    expect([reply.status, reply.body.issues[0].path]).toEqual([400, ["url"]]);
    expect((await user.rest.get(`/cards/${card}`)).body.attachments).toEqual([]);
  });

  test("counts towards the attachments of a card", async () => {
    const { user, card } = await start(app());
    await insertFiles(app(), [card], 500);
    const reply = await user.rest.post(`/cards/${card}/attachments`, { url });
    expect([reply.status, reply.body.issues[0].code]).toEqual([409, "limit_exceeded"]);
  });
});
