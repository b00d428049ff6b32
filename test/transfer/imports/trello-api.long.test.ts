import { expect, test } from "vitest";
import { runDue } from "../../support/jobs.ts";
import { makeWorkspace } from "../../support/make.ts";
import { htmlPage, redirectTo } from "../../support/stand-in.ts";
import { limitExceeded } from "../../support/trello.ts";
import { download } from "../../domain/attachments/files.ts";
import { actual, expected, likeThat } from "./compare.ts";
import { boardOf, read, send } from "./importing.ts";
import { useTrello } from "./trello-app.ts";
import { makeExport } from "./trello-export.ts";
import { attachment, board, card, comment, idOf, kinds, list } from "./trello-objects.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { exhaustWaits } from "../../support/faults.ts";

const { app, trello, ask, bring } = useTrello();
const boardId = idOf(kinds.board, 1);

/** The same board once more, with ids of its own. */
const renamed = (source: object): Record<string, any> => ({
  ...JSON.parse(
    JSON.stringify(source).replaceAll(/"([0-9a-f]{8})0{3}([0-9a-f]{13})"/g, '"$1001$2"'),
  ),
  name: "Second",
});

test("a board from Trello itself, over all pages, equals its export", async () => {
  const home = await makeWorkspace(app());
  const source = makeExport({ cards: 200, comments: 2_500 });
  trello().whole = [source];
  const done = await bring(home, [boardId]);
  expect(done).toMatchObject({ source: "trello", status: "completed", error: null });
  expect(done.counts).toMatchObject({ card: { created: 200 }, comment: { created: 2_500 } });
  expect(await actual(home, done.boards[0].publicId, 20)).toEqual(likeThat(expected(source), 20));
  const { body } = await send(app(), home, source);
  await runDue(app().deps);
  expect((await read(home, body.publicId)).counts.card).toMatchObject({
    created: 0,
    alreadyThere: 200,
  });
});

test("contents that were not selected are neither imported nor reported", async () => {
  const home = await makeWorkspace(app());
  const one = idOf(kinds.card, 1);
  trello().whole = [
    board({
      lists: [list(1), list(2, { closed: true })],
      cards: [
        card(1, { idMembers: ["unknown"], attachments: [attachment(1)] }),
        card(2, { closed: true }),
        card(3, { idList: idOf(kinds.list, 2) }),
      ],
      actions: [comment(1, one)],
    }),
  ];
  const nothing = { comments: false, attachments: false, members: false, archived: false };
  const done = await bring(home, [boardId], { include: nothing });
  expect(done.counts).toMatchObject({ list: { found: 1 }, card: { found: 1, created: 1 } });
  for (const kind of ["comment", "attachment", "cardMember"])
    expect(done.counts[kind]).toBeUndefined();
});

test("comments of archived cards are no loss when these are not selected", async () => {
  const home = await makeWorkspace(app());
  const [one, two] = [idOf(kinds.card, 1), idOf(kinds.card, 2)];
  const cards = [card(1), card(2, { closed: true })];
  const actions = [comment(1, one), comment(2, two), comment(3, "5f1e5f1e5f1e5f1e5f1e5f1e")];
  trello().whole = [board({ lists: [list(1)], cards, actions })];
  const done = await bring(home, [boardId], { include: { archived: false } });
  expect(done.counts.comment).toMatchObject({ found: 1, created: 1, leftOut: 0 });
  const all = await bring(await makeWorkspace(app()), [boardId]);
  expect(all.counts.comment).toMatchObject({ found: 3, created: 2, leftOut: 1 });
});

test("uploads are stored; a missing one stays a link, and the report says so", async () => {
  const home = await makeWorkspace(app());
  const upload = (nth: number, name: string) =>
    attachment(nth, {
      isUpload: true,
      name,
      fileName: name,
      url: `https://trello.com/1/cards/${nth}`,
    });
  trello().whole = [
    board({
      lists: [list(1)],
      cards: [card(1, { attachments: [upload(1, "a b.txt"), upload(2, "gone")] })],
    }),
  ];
  trello().uploads.set(idOf(kinds.attachment, 1), {
    bytes: Buffer.from("Some bytes"),
    type: "text/plain",
  });
  const done = await bring(home, [boardId]);
  const shown = await boardOf(home, done.boards[0].publicId);
  const { body } = await home.admin.rest.get(`/cards/${shown.lists[0].cards[0].publicId}`);
  expect(body.attachments).toMatchObject([
    { kind: "file", filename: "a b.txt", size: 10, contentType: "text/plain" },
    { kind: "link", filename: "gone", url: "https://trello.com/1/cards/2" },
  ]);
  const { bytes } = await download(app(), home.admin, body.attachments[0].publicId);
  expect(bytes.toString()).toBe("Some bytes");
  expect(done.issues.filter((issue: any) => issue.kind === "attachment")).toMatchObject([
    { name: "gone", isPartlyThere: true },
  ]);
  expect(await app().db.reader.importFile.count()).toBe(0);
});

test("a download follows redirects without the credentials, a few times, to public hosts only", async () => {
  const source = board({
    lists: [list(1)],
    cards: [
      card(1, {
        attachments: [attachment(1, { isUpload: true, name: "a.txt", fileName: "a.txt" })],
      }),
    ],
  });
  trello().whole = [source];
  const file = { bytes: Buffer.from("Some bytes"), type: "text/plain" };
  trello().uploads.set(idOf(kinds.attachment, 1), file);
  const kindWhen = async () => {
    const home = await makeWorkspace(app());
    const done = await bring(home, [boardId]);
    const shown = await boardOf(home, done.boards[0].publicId);
    const { body } = await home.admin.rest.get(`/cards/${shown.lists[0].cards[0].publicId}`);
    return body.attachments[0].kind;
  };
  const { storage } = trello();
  const before = storage.requests.length;
  expect(await kindWhen()).toBe("file");
  const [asked] = storage.requests.slice(before);
  expect(asked?.query.get("signature")).toBe("once");
  expect(JSON.stringify(asked)).not.toContain(trello().token);
  expect(asked?.headers).not.toHaveProperty("authorization");
  storage.failAlways(redirectTo("http://10.0.0.1/internal"));
  expect(await kindWhen()).toBe("link");
  storage.failAlways(redirectTo(`${storage.url}/again`));
  const from = storage.requests.length;
  expect(await kindWhen()).toBe("link");
  expect(storage.requests.length - from).toBe(5);
  storage.failAlways(undefined);
});

test("an import waits for a limit of Trello and repeats failed requests", async () => {
  const home = await makeWorkspace(app());
  trello().whole = [makeExport({ cards: 10 })];
  const { body } = await ask(home, [boardId]);
  trello().failNext(limitExceeded("TOKEN", "1"), htmlPage(503), limitExceeded("TOKEN", "60"));
  await runDue(app().deps);
  expect((await read(home, body.publicId)).status).toBe("queued");
  app().advance(59_000);
  await runDue(app().deps);
  expect((await read(home, body.publicId)).status).toBe("queued");
  app().advance(1_000);
  await runDue(app().deps);
  expect(await read(home, body.publicId)).toMatchObject({ status: "completed", error: null });
});

test("an import fails while Trello is unavailable, and a repeated one continues", async () => {
  const home = await makeWorkspace(app());
  trello().whole = [makeExport({ cards: 10 })];
  const { body } = await ask(home, [boardId]);
  await exhaustWaits(app(), body.publicId);
  trello().failAlways(htmlPage(502));
  await runDue(app().deps);
  expect(await read(home, body.publicId)).toMatchObject({
    status: "failed",
    error: "Trello answered with status 502.",
  });
  trello().failAlways(undefined);
  expect((await bring(home, [boardId])).counts.card).toMatchObject({ created: 10 });
});

test("a token that is revoked during an import fails it and leaves no incomplete board", async () => {
  const home = await makeWorkspace(app());
  const first = makeExport({ cards: 10 });
  const second = renamed(makeExport({ cards: 10 }));
  trello().whole = [first, second];
  trello().revokedAt = `/1/boards/${second["id"]}/cards`;
  const done = await bring(home, [first["id"], second["id"]]);
  expect(done).toMatchObject({
    status: "failed",
    error: expect.stringContaining("refused the token"),
  });
  expect(done.counts).toMatchObject({ board: { created: 1 }, card: { created: 10 } });
  const { body } = await home.admin.rest.get(`/workspaces/${home.publicId}/boards`);
  expect(body.items.map(({ name }: { name: string }) => name)).toEqual(["Board of Trello"]);
  trello().revokedAt = undefined;
  const again = await bring(home, [first["id"], second["id"]]);
  expect(again.counts).toMatchObject({
    board: { created: 1, alreadyThere: 1 },
    card: { created: 10, alreadyThere: 10 },
  });
});

test("a board that the token cannot read is reported; the others are imported", async () => {
  const home = await makeWorkspace(app());
  trello().whole = [makeExport({ cards: 3 })];
  const done = await bring(home, ["5f1e5f1e5f1e5f1e5f1e5f1e", boardId]);
  expect(done.counts.board).toMatchObject({ found: 2, created: 1, leftOut: 1 });
  trello().failAlways(() => ({ status: 400, body: "invalid id" }));
  const malformed = await bring(home, ["5f1e5f1e5"]);
  trello().failAlways(undefined);
  expect(malformed).toMatchObject({ status: "completed", counts: { board: { leftOut: 1 } } });
  expect(done.issues).toContainEqual(
    expect.objectContaining({ kind: "board", sourceId: "5f1e5f1e5f1e5f1e5f1e5f1e" }),
  );
});

test("a token that Trello refuses is 403 at once, and no credential is stored in clear text", async () => {
  const home = await makeWorkspace(app());
  const refused = await ask(home, [boardId], { token: trello().expiredToken });
  expect([refused.status, refused.body.issues[0].code]).toEqual([403, "trello_token_refused"]);
  trello().whole = [makeExport({ cards: 1 })];
  const { body } = await ask(home, [boardId]);
  const rows = await app().db.read<{ text: string }>(
    sql`SELECT to_jsonb(i)::text AS text FROM imports i UNION ALL SELECT to_jsonb(j)::text FROM jobs j UNION ALL SELECT to_jsonb(e)::text FROM events e`,
  );
  for (const { text } of rows)
    for (const secret of [trello().token, trello().apiKey]) expect(text).not.toContain(secret);
  await runDue(app().deps);
  const row = await app().db.reader.import.findUnique({ where: { publicId: body.publicId } });
  expect(row?.input).toBe("");
});
