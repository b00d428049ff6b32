import { beforeAll, describe, expect, test } from "vitest";
import { adminOnly, permissions } from "../../../src/contract/vocabulary/permissions.ts";
import { unavailable } from "../../../src/platform/errors.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { runDue } from "../../support/jobs.ts";
import { download, stored } from "../../domain/attachments/files.ts";
import { entriesOf, exported, fetched } from "../exports/fetching.ts";
import { fill } from "../exports/many.ts";
import { minimalDocument } from "../exports/minimal.ts";
import { normal, numbered } from "../exports/normal.ts";
import { makeRich, type Rich } from "../exports/rich.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeUser, makeWorkspace } from "../../support/make.ts";
import { bring, send } from "./sending.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp({ isolated: true });
let rich: Rich;
let document: any;
let archive: Buffer;
beforeAll(async () => {
  rich = await makeRich(app());
  const { token } = rich.admin;
  document = await exported(app(), token, rich.workspace.publicId);
  archive = (
    await fetched(app(), token, `/workspaces/${rich.workspace.publicId}/export?files=true`)
  ).bytes;
  app().advance(60_000);
});

const again = (done: { workspacePublicId: string }) =>
  exported(app(), rich.admin.token, done.workspacePublicId);

describe("a workspace that is exported and imported", () => {
  test("is the same except for ids and for what would grant others access", async () => {
    const done = await bring(app(), rich.admin, document);
    expect(done).toMatchObject({ status: "completed", source: "workspace", error: null });
    const second = await again(done);
    expect(second.counts).toEqual(document.counts);
    expect(normal(second, rich.admin, false)).toEqual(normal(document, rich.admin, false));
    const shared = JSON.stringify(second);
    for (const { publicId } of [...document.boards, ...document.cards, ...document.members])
      expect(shared).not.toContain(publicId);

    const third = await again(await bring(app(), rich.admin, second));
    const strictly = (whole: any) =>
      numbered({
        ...whole,
        workspace: { ...whole.workspace, slug: "", createdAt: "", updatedAt: "" },
      });
    expect(strictly(third)).toEqual(strictly(second));
    const first = await exported(app(), rich.admin.token, rich.workspace.publicId);
    expect({ ...first, exportedAt: "" }).toEqual({ ...document, exportedAt: "" });
  });

  test("as an archive has its files too", async () => {
    const done = await bring(app(), rich.admin, archive);
    const second = await again(done);
    expect(normal(second, rich.admin, true)).toEqual(normal(document, rich.admin, true));
    for (const { filename, publicId, kind } of second.cards.flatMap(
      (card: any) => card.attachments,
    )) {
      if (kind === "link") continue;
      const { status, bytes, headers } = await download(app(), rich.admin, publicId);
      expect([status, bytes.toString()]).toEqual([200, rich.files.get(filename)]);
      expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    }
    const { bytes } = await fetched(
      app(),
      rich.admin.token,
      `/workspaces/${done.workspacePublicId}/export?files=true`,
    );
    const [before, after] = [await entriesOf(archive), await entriesOf(bytes)];
    before.delete("workspace.json");
    after.delete("workspace.json");
    expect(after).toEqual(before);
    expect(await app().db.reader.importFile.count()).toBe(0);
  });

  test("reports what was imported in part, and its counts add up", async () => {
    const { counts, report } = await bring(app(), rich.admin, document);
    const found = Object.fromEntries(counts.map((one: any) => [one.kind, one.found]));
    expect(found).toEqual({
      board: document.counts.boards,
      list: document.counts.lists,
      label: document.counts.labels,
      field: document.boards.flatMap((board: any) => board.fields).length,
      fieldOption: document.boards.flatMap((board: any) =>
        board.fields.flatMap(({ options }: any) => options),
      ).length,
      cardField: document.cards.flatMap((card: any) => card.fields).length,
      view: document.counts.views,
      card: document.counts.cards,
      checklist: document.counts.checklists,
      checklistItem: document.counts.checklistItems,
      comment: document.counts.comments,
      attachment: document.counts.attachments,
      activity: document.counts.activity,
      member: document.counts.members,
      role: document.counts.roles,
      cardLabel: document.cards.flatMap((card: any) => card.labelPublicIds).length,
      cardMember: document.cards.flatMap((card: any) => card.memberPublicIds).length,
    });
    expect(counts.every((one: any) => one.created === one.found)).toBe(true);
    const kinds = report.items.map(({ kind, name }: any) => `${kind} ${name}`);
    expect(kinds.toSorted()).toEqual(
      [
        "attachment empty.txt",
        "attachment other.txt",
        "attachment same.txt",
        "attachment ünï.txt",
        "member A member",
        "member Invited member",
      ].toSorted(),
    );
    expect(report.items.every(({ isPartlyThere }: any) => isPartlyThere)).toBe(true);
  });

  test("continues with the numbers of its cards", async () => {
    const done = await bring(app(), rich.admin, document);
    const second = await again(done);
    const [{ listPublicId }] = second.cards;
    const { body } = await rich.admin.rest.post("/cards", { title: "Next", listPublicId });
    expect(body.cardNumber).toBe(`RICH-${document.workspace.lastCardNumber + 1}`);
    const [alias] = second.cards.find((card: any) => card.title === "Travelled").aliases;
    const old = await rich.admin.rest.get(
      `/workspaces/${done.workspacePublicId}/cards/RICH-${alias}`,
    );
    expect(old.body.title).toBe("Travelled");
  });

  test("can be imported by a user who was no member of it", async () => {
    const stranger = await makeUser(app(), "Stranger");
    const done = await bring(app(), stranger, document);
    const second = await exported(app(), stranger.token, done.workspacePublicId);
    expect(second.members).toHaveLength(document.members.length + 1);
    expect(second.members.filter(({ status }: any) => status === "active")).toMatchObject([
      { email: stranger.email },
    ]);
    expect(
      second.cards.flatMap((card: any) => card.comments).map(({ author }: any) => author),
    ).toEqual(
      document.cards
        .flatMap((card: any) => card.comments)
        .map(({ author }: any) => ({ name: author.name, memberPublicId: null })),
    );
  });
});

describe("an imported workspace", () => {
  test("admits no member, sends no mail and attributes no comment to an account", async () => {
    const mails = () => app().db.read(sql`SELECT id FROM jobs WHERE kind = 'mail'`);
    const before = [await mails(), await app().db.reader.notification.count()];
    const done = await bring(app(), rich.admin, document);
    expect([await mails(), await app().db.reader.notification.count()]).toEqual(before);
    const path = `/workspaces/${done.workspacePublicId}`;
    expect((await rich.helper.rest.get(path)).status).toBe(403);
    const { body: list } = await rich.helper.rest.get("/workspaces");
    expect(list.map(({ workspace }: any) => workspace.publicId)).not.toContain(
      done.workspacePublicId,
    );
    const second = await again(done);
    const full = second.cards.find((card: any) => card.comments.length > 0).publicId;
    const { body: comments } = await rich.admin.rest.get(`/cards/${full}/comments`);
    expect(comments.items.map(({ author, authorName }: any) => [author?.name, authorName])).toEqual(
      [
        [undefined, "Ada Ünïcode"],
        [undefined, "A member"],
        [undefined, "A guest"],
      ],
    );
    const member = second.members.find(({ email }: any) => email === rich.helper.email);
    const { body: invited } = await rich.admin.rest.post(`${path}/members/invite`, {
      email: rich.helper.email,
      rolePublicId: member.rolePublicId,
    });
    expect(invited.publicId).toBe(member.publicId);
  });

  test("announces its boards and cards; its old history is in no feed", async () => {
    const done = await bring(app(), rich.admin, document);
    const { id } = await app().db.reader.workspace.findUniqueOrThrow({
      where: { publicId: done.workspacePublicId },
    });
    const events = await findEvents(app(), {
      where: { workspaceId: id },
      orderBy: { id: "asc" },
    });
    const past = events.filter(({ number }) => number === null);
    expect(past).toHaveLength(document.counts.activity);
    expect(
      past.every(
        ({ isActivity, actorUserId, credential }) =>
          isActivity && actorUserId === null && credential === null,
      ),
    ).toBe(true);
    const now = events.filter(({ number }) => number !== null);
    const count = (type: string) => now.filter((event) => event.type === type).length;
    expect(now[0]?.type).toBe("workspace.created");
    expect([count("board.created"), count("card.created"), count("import.completed")]).toEqual([
      document.counts.boards,
      document.counts.cards,
      1,
    ]);
    expect(now.filter(({ isActivity }) => isActivity)).toEqual([]);
    const { body: feed } = await rich.admin.rest.get(
      `/workspaces/${done.workspacePublicId}/events?limit=100`,
    );
    expect(feed.items[0].type).toBe("workspace.created");
    const ids = new Set(past.map(({ publicId }) => publicId));
    expect(feed.items.filter((event: any) => ids.has(event.id))).toEqual([]);
  });

  test("grants admin-only permissions to its admin only", async () => {
    const hostile = minimalDocument("Hostile");
    const [role] = hostile.roles;
    const [member] = hostile.members;
    Object.assign(role ?? {}, { permissions: [...permissions] });
    Object.assign(member ?? {}, {
      overrides: adminOnly.map((permission) => ({ permission, granted: true })),
    });
    const done = await bring(app(), rich.admin, hostile);
    const second = await again(done);
    const made = second.roles.find(({ name }: any) => name === "member");
    expect(made.permissions).toEqual(permissions.filter((one) => !adminOnly.includes(one)));
    expect(second.members.at(-1).overrides).toEqual([]);
    expect(done.report.items.filter(({ kind }: any) => kind === "permission")).toMatchObject([
      { name: "member", count: 2 },
      { name: "Ada", count: 2 },
    ]);
  });

  test("has a slug of its own where the document's is taken or reserved", async () => {
    for (const slug of ["api", "minimal-of-its-own", "MINIMAL-of-its-own"]) {
      const made = minimalDocument();
      made.workspace.slug = slug;
      const second = await again(await bring(app(), rich.admin, made));
      expect(second.workspace.slug).toMatch(new RegExp(`^${slug}(-[0-9a-z]{6})?$`, "i"));
      expect(second.workspace.slug).not.toBe("api");
    }
  });
});

describe("an import of a workspace", () => {
  test("is one import when the same file is sent again meanwhile", async () => {
    const files = (await stored(app())).length;
    const first = await send(app(), rich.admin, document);
    const second = await send(app(), rich.admin, document);
    expect(second.body.publicId).toBe(first.body.publicId);
    expect((await stored(app())).length).toBe(files + 1);
    await runDue(app().deps);
    expect((await stored(app())).length).toBe(files);
  });

  test("that is interrupted continues to the same end and creates nothing twice", async () => {
    const { admin, large } = await makeLarge();
    const { body } = await send(app(), admin, large);
    let most = 3;
    const { files } = app().deps;
    const breaking = {
      ...app().deps,
      files: {
        ...files,
        async get(key: string) {
          const source = await files.get(key);
          let chunks = 0;
          return source.pipeThrough(
            new TransformStream<Uint8Array, Uint8Array>({
              transform(chunk, controller) {
                if (++chunks > most) throw unavailable("overloaded", "The storage is away.");
                controller.enqueue(chunk);
              },
            }),
          );
        },
      },
    };
    for (let round = 0; round < 3; round++) {
      await runDue(breaking);
      const { body: now } = await admin.rest.get(`/imports/${body.publicId}`);
      expect(["running", "queued"]).toContain(now.status);
      most += 4;
      app().advance(60_000);
    }
    await runDue(app().deps);
    const { body: done } = await admin.rest.get(`/imports/${body.publicId}`);
    expect(done).toMatchObject({ status: "completed", error: null });
    const second = await exported(app(), admin.token, done.workspacePublicId);
    expect(normal(second, admin, false)).toEqual(normal(large, admin, false));
    const cards = await app().db.reader.event.count({
      where: { type: "card.created", isActivity: false, actorPublicId: body.publicId },
    });
    expect(cards).toBe(large.counts.cards);
  });

  test("reports the files over the quota of the workspace", async () => {
    const { body } = await send(app(), rich.admin, archive);
    const config = { ...app().deps.config, ATTACHMENTS_QUOTA: 0 };
    await runDue({ ...app().deps, config });
    const { body: done } = await rich.admin.rest.get(`/imports/${body.publicId}`);
    expect(done.status).toBe("completed");
    const files = document.cards.flatMap((card: any) =>
      card.attachments.filter(({ kind }: any) => kind === "file"),
    );
    expect(done.report.items.filter(({ kind }: any) => kind === "attachment")).toMatchObject(
      files.map(() => ({ isPartlyThere: true, reason: expect.stringContaining("quota") })),
    );
  });

  test("that is cancelled leaves whole cards only", async () => {
    const { admin, large } = await makeLarge();
    const { body } = await send(app(), admin, large);
    const { files } = app().deps;
    const cancelling = {
      ...app().deps,
      files: {
        ...files,
        async get(key: string) {
          const source = await files.get(key);
          let chunks = 0;
          return source.pipeThrough(
            new TransformStream<Uint8Array, Uint8Array>({
              async transform(chunk, controller) {
                if (++chunks === 14) await admin.rest.post(`/imports/${body.publicId}/cancel`);
                controller.enqueue(chunk);
              },
            }),
          );
        },
      },
    };
    await runDue(cancelling);
    const { body: done } = await admin.rest.get(`/imports/${body.publicId}`);
    expect(done.status).toBe("cancelled");
    const second = await exported(app(), admin.token, done.workspacePublicId);
    const count = second.cards.length;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(large.cards.length);
    const first = { ...large, cards: large.cards.slice(0, count), counts: second.counts };
    expect(normal(second, admin, false)).toEqual(normal(first, admin, false));
    expect(await app().db.reader.importFile.count()).toBe(0);
  });

  test("of a card with a long history takes all of it", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    await fill(app(), board.lists[0] ?? "", { cards: 1, comments: 2_500, events: 1_200 });
    const long = await exported(app(), workspace.admin.token, workspace.publicId);
    const done = await bring(app(), workspace.admin, long);
    const second = await exported(app(), workspace.admin.token, done.workspacePublicId);
    expect(normal(second, workspace.admin, false)).toEqual(normal(long, workspace.admin, false));
  });

  test("goes over REST only", async () => {
    await expect(rich.admin.trpc.workspace.import.mutate()).rejects.toMatchObject({
      data: { httpStatus: 415 },
    });
  });
});

/** A workspace that is several transactions long. */
async function makeLarge() {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  for (const list of board.lists)
    await fill(app(), list, { cards: 300, comments: 2, items: 2, events: 2 });
  const { admin } = workspace;
  return { admin, large: await exported(app(), admin.token, workspace.publicId) };
}
