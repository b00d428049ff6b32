import { expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { unavailable } from "../../../src/platform/errors.ts";
import { runDue } from "../../support/jobs.ts";
import { download, stored } from "../../domain/attachments/files.ts";
import { exported, fetched } from "../exports/fetching.ts";
import { fill } from "../exports/many.ts";
import { normal } from "../exports/normal.ts";
import { makeRich } from "../exports/rich.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { read, send as sendTrello } from "./importing.ts";
import { send } from "./sending.ts";
import { afterFirst } from "./source.ts";
import { board, card, comment, idOf, kinds, list } from "./trello-objects.ts";

const app = useApp({ isolated: true });

const reportOf = async (user: { rest: any }, id: string) => {
  const { body } = await user.rest.get(`/imports/${id}?limit=100`);
  return { status: body.status, counts: body.counts, report: body.report.items };
};

/** A result with the numbers of cards for their ids, which are new in every import. */
const comparable = ({ report, ...result }: Awaited<ReturnType<typeof reportOf>>) => ({
  ...result,
  report: report.map(({ card: on, cardPublicId, ...entry }: any) => {
    if (on === null) return { ...entry, card: on, cardPublicId };
    const { publicId, url, ...named } = on;
    const number = (text: string) => text.replaceAll(publicId, on.cardNumber);
    return {
      ...entry,
      card: { ...named, publicId: number(publicId), url: number(url) },
      cardPublicId: number(cardPublicId),
    };
  }),
});

test("a cancelled import has cards with all of their comments", async () => {
  const home = await makeWorkspace(app());
  const one = idOf(kinds.card, 1);
  const actions = Array.from({ length: 4_500 }, (_, nth) => comment(nth + 1, one));
  const source = board({ lists: [list(1)], cards: [card(1), card(2)], actions });
  const { body } = await sendTrello(app(), home, source);
  const cancel = async () => void (await home.admin.rest.post(`/imports/${body.publicId}/cancel`));
  await runDue(afterFirst(app(), "comments", home.publicId, cancel));
  const done = await read(home, body.publicId);
  expect(done).toMatchObject({ status: "cancelled", counts: { comment: { created: 4_500 } } });
  expect(await app().db.reader.comment.count()).toBe(4_500);
  expect(await eventsIn(app(), home.publicId, "comment.created")).toHaveLength(4_500);
});

test("a cancelled import of a workspace has cards with all comments and history", async () => {
  const source = await makeWorkspace(app());
  const { lists } = await makeBoard(source);
  await fill(app(), lists[0] ?? "", { cards: 1, comments: 2_500, events: 1_200 });
  const { admin } = source;
  const document = await exported(app(), admin.token, source.publicId);
  const { body } = await send(app(), admin, document);
  const cancel = async () => void (await admin.rest.post(`/imports/${body.publicId}/cancel`));
  await runDue(afterFirst(app(), "comments", body.workspacePublicId, cancel));
  const { status, counts } = await reportOf(admin, body.publicId);
  expect(status).toBe("cancelled");
  expect(counts).toContainEqual(expect.objectContaining({ kind: "comment", created: 2_500 }));
  expect(counts).toContainEqual(expect.objectContaining({ kind: "activity", created: 1_200 }));
  const second = await exported(app(), admin.token, body.workspacePublicId);
  expect(normal(second, admin, false)).toEqual(normal(document, admin, false));
});

test("a cancelled import of an archive has no attachment without its bytes, and no other files", async () => {
  const rich = await makeRich(app());
  const { admin } = rich;
  const path = `/workspaces/${rich.workspace.publicId}/export?files=true`;
  const { bytes } = await fetched(app(), admin.token, path);
  const files = (await stored(app())).length;
  const { body } = await send(app(), admin, bytes);
  const cancel = async () => void (await admin.rest.post(`/imports/${body.publicId}/cancel`));
  await runDue(afterFirst(app(), "attachments", body.workspacePublicId, cancel));
  expect((await reportOf(admin, body.publicId)).status).toBe("cancelled");
  const { cards } = await exported(app(), admin.token, body.workspacePublicId);
  const attached = cards
    .flatMap((one: any) => one.attachments)
    .filter(({ kind }: any) => kind === "file");
  expect(attached.length).toBeGreaterThan(0);
  for (const { publicId, filename } of attached) {
    const got = await download(app(), admin, publicId);
    expect([got.status, got.bytes.toString()]).toEqual([200, rich.files.get(filename)]);
  }
  expect((await stored(app())).length).toBe(files + attached.length);
  expect(await app().db.reader.importFile.count()).toBe(0);
});

test("an import of a workspace that was interrupted reports what an undisturbed one does", async () => {
  const source = await makeWorkspace(app());
  const { lists } = await makeBoard(source);
  for (const one of lists) await fill(app(), one, { cards: 100, comments: 2, items: 2, events: 2 });
  const { admin } = source;
  const document = await exported(app(), admin.token, source.publicId);
  const missing = {
    ...document.members[0],
    publicId: "0missing0one",
    email: null,
    status: "active",
  };
  document.members.push(missing);
  document.counts.members += 1;
  const [first] = document.cards;
  first.memberPublicIds = [missing.publicId];
  first.checklists[0].items[0].memberPublicId = missing.publicId;
  first.activity[0].type = "card.unheard_of";
  const { createdAt } = first;
  const attached = { createdAt, updatedAt: createdAt, contentType: "text/uri-list", sha256: null };
  const link = { ...attached, kind: "link", filename: "A link", size: null, file: null };
  const file = { ...attached, kind: "file", filename: "A file", size: 1, file: null, url: null };
  first.attachments = [
    { ...link, publicId: "0alink000001", url: "https://example.com/" },
    { ...link, publicId: "0alink000002", url: "javascript:alert(1)" },
    { ...file, publicId: "0afile000003", contentType: "text/plain" },
  ];
  document.counts.attachments = 3;

  const calm = await send(app(), admin, document);
  await runDue(app().deps);
  const undisturbed = await reportOf(admin, calm.body.publicId);
  expect(undisturbed.status).toBe("completed");
  expect(undisturbed.report.map(({ kind }: any) => kind).toSorted()).toEqual(
    ["activity", "attachment", "attachment", "cardMember", "checklistItem", "member"].toSorted(),
  );
  const { body } = await send(app(), admin, document);
  const fail = () => Promise.reject(unavailable("overloaded", "The database is away."));
  await runDue(afterFirst(app(), "cards", body.workspacePublicId, fail));
  expect((await reportOf(admin, body.publicId)).status).toBe("running");
  app().advance(60_000);
  await runDue(app().deps);
  const interrupted = await reportOf(admin, body.publicId);
  expect(comparable(interrupted)).toEqual(comparable(undisturbed));
});
