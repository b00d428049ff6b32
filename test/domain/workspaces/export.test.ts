import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { WorkspaceExport } from "../../../src/transfer/format/workspace.ts";
import { schemaOfExport } from "../../../src/transfer/format/schema.ts";
import { createApp } from "../../../src/app/http-application.ts";
import { Failure, unavailable } from "../../../src/platform/errors.ts";
import { stored } from "../attachments/files.ts";
import { entriesOf, exported, fetched } from "../../transfer/exports/fetching.ts";
import { makeRich, strange, type Rich } from "../../transfer/exports/rich.ts";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { join, type User } from "../../support/make.ts";

const app = useApp();
let rich: Rich;
let path: string;
let document: any;
beforeAll(async () => {
  rich = await makeRich(app());
  path = `/workspaces/${rich.workspace.publicId}/export`;
  document = await exported(app(), rich.admin.token, rich.workspace.publicId);
});

type Named = { publicId: string };
const named = (resources: Named[], publicId: string): any =>
  resources.find((one) => one.publicId === publicId);
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

describe("the document of a workspace", () => {
  test("matches the published schema", async () => {
    const shown = JSON.parse(await readFile("docs/workspace-export.schema.json", "utf8"));
    expect(shown).toEqual(JSON.parse(JSON.stringify(schemaOfExport())));
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    addFormats.default(ajv);
    ajv.validate(shown, document);
    expect(ajv.errors).toBe(null);
  });

  test("can be imported, and contains counts", () => {
    expect(WorkspaceExport.safeParse(document).error?.issues).toBeUndefined();
    const { boards, cards } = document;
    const sum = (of: any[], key: string) => of.reduce((total, one) => total + one[key].length, 0);
    const checklists = cards.flatMap((card: any) => card.checklists);
    expect(document.counts).toEqual({
      roles: document.roles.length,
      members: document.members.length,
      boards: boards.length,
      labels: sum(boards, "labels"),
      lists: sum(boards, "lists"),
      views: document.views.length,
      cards: cards.length,
      checklists: checklists.length,
      checklistItems: sum(checklists, "items"),
      attachments: sum(cards, "attachments"),
      fields: sum(cards, "fields"),
      comments: sum(cards, "comments"),
      relations: sum(cards, "relations"),
      activity: sum(cards, "activity"),
    });
    expect(document.counts).toMatchObject({
      boards: 6,
      views: 3,
      cards: 20,
      comments: 3,
      attachments: 5,
    });
  });

  test("has lists and cards in order, including archived ones", async () => {
    for (const board of Object.values(rich.boards)) {
      const { body } = await rich.admin.rest.get(`/boards/${board}?archived=true`);
      const { lists } = named(document.boards, board);
      expect(lists.map(({ publicId }: Named) => publicId)).toEqual(
        body.lists.map(({ publicId }: Named) => publicId),
      );
      for (const list of body.lists) {
        const cards = document.cards.filter((card: any) => card.listPublicId === list.publicId);
        expect(cards.map(({ publicId }: Named) => publicId)).toEqual(
          list.cards.map(({ publicId }: Named) => publicId),
        );
      }
    }
  });

  test("has a card with all its relations", async () => {
    const card = named(document.cards, rich.cards.full);
    const { body } = await rich.admin.rest.get(`/cards/${rich.cards.full}`);
    expect(card).toMatchObject({
      title: body.title,
      description: body.description,
      startDate: body.startDate,
      dueDate: body.dueDate,
      labelPublicIds: body.labels.map(({ publicId }: Named) => publicId),
      createdAt: body.createdAt,
    });
    expect(card.memberPublicIds.toSorted()).toEqual(
      body.members.map(({ publicId }: Named) => publicId).toSorted(),
    );
    expect(
      card.checklists.map(({ name, items }: any) => [name, items.map((i: any) => i.title)]),
    ).toEqual(
      body.checklists.map(({ name, items }: any) => [name, items.map((i: any) => i.title)]),
    );
    expect(card.checklists[0].items.map((item: any) => item.memberPublicId)).toEqual([
      null,
      rich.helper.memberPublicId,
      null,
    ]);
    expect(card.comments).toMatchObject([
      { comment: strange, author: { name: "Ada Ünïcode" }, isEdited: false },
      { author: { name: "A member", memberPublicId: rich.helper.memberPublicId }, isEdited: true },
      { comment: "I was here", author: { name: "A guest", memberPublicId: null } },
    ]);
    expect(card.attachments).toMatchObject([
      { kind: "file", filename: "ünï.txt", size: 8, sha256: sha256("one file"), url: null },
      { kind: "link", file: null, size: null, url: 'https://example.com/?a=1&b="2"' },
    ]);
    const { body: history } = await rich.admin.rest.get(
      `/cards/${rich.cards.full}/activities?limit=100`,
    );
    const received = card.activity.toReversed();
    expect(history.items).toMatchObject(received);
    expect(history.items).toHaveLength(received.length);
  });

  test("has archived, restricted and template boards and card aliases, without the trash", () => {
    const { boards } = rich;
    expect(named(document.boards, boards.old).archivedAt).not.toBeNull();
    expect(named(document.cards, rich.cards.archived)).toMatchObject({
      archivedAt: expect.any(String),
      completedAt: expect.any(String),
    });
    expect(named(document.boards, boards.secret)).toMatchObject({ visibility: "restricted" });
    expect(named(document.boards, boards.secret).memberPublicIds).toContain(
      rich.helper.memberPublicId,
    );
    expect(named(document.boards, boards.template)).toMatchObject({ type: "template" });
    const titles = document.cards.map((card: any) => card.title);
    expect(titles).toEqual(
      expect.arrayContaining(["Hidden", "On an archived list", "Template card"]),
    );
    for (const gone of ["In the trash", "On a deleted list", "Deleted"])
      expect(titles).not.toContain(gone);
    const travelled = document.cards.find((card: any) => card.title === "Travelled");
    expect(travelled.aliases).toHaveLength(1);
    expect(document.workspace.lastCardNumber).toBeGreaterThanOrEqual(travelled.number);
    expect(travelled.number).toBeGreaterThan(travelled.aliases[0]);
  });

  test("has roles and members with permissions, without removed members", () => {
    expect(document.roles.map(({ name }: any) => name)).toEqual([
      "admin",
      "member",
      "guest",
      "reviewer",
    ]);
    expect(document.members).toHaveLength(3);
    expect(named(document.members, rich.helper.memberPublicId)).toMatchObject({
      email: rich.helper.email,
      status: "active",
      overrides: [
        { permission: "board:create", granted: false },
        { permission: "board:delete", granted: true },
      ],
    });
    expect(document.members.at(-1)).toMatchObject({
      email: "someone.new@example.com",
      status: "invited",
    });
  });

  test("hides addresses from callers who may not see them", async () => {
    const other = await join(app(), rich.workspace, "admin");
    const home = `/workspaces/${rich.workspace.publicId}`;
    const { rest } = rich.admin;
    await rest.post(`${home}/members/${other.memberPublicId}/permissions/revoke`, {
      permission: "member:edit",
    });
    await rest.put(home, { showEmailsToMembers: false });
    const emails = async (user: User) =>
      (await exported(app(), user.token, rich.workspace.publicId)).members.map(
        (one: any) => one.email,
      );
    expect(new Set(await emails(other))).toEqual(new Set([null]));
    expect(await emails(rich.admin)).toContain(rich.helper.email);
    await rest.put(home, { showEmailsToMembers: true });
    await rest.delete(`${home}/members/${other.memberPublicId}`);
  });
});

describe("the answer", () => {
  test("is a download; HEAD has the same headers", async () => {
    for (const [query, type, end] of [
      ["", "application/json", "json"],
      ["?files=true", "application/x-tar", "tar"],
    ]) {
      const get = await fetched(app(), rich.admin.token, `${path}${query}`);
      const head = await fetched(app(), rich.admin.token, `${path}${query}`, { method: "HEAD" });
      for (const { status, headers } of [get, head]) {
        expect(status).toBe(200);
        expect(headers.get("content-type")).toBe(type);
        expect(headers.get("content-disposition")).toMatch(
          new RegExp(`^attachment; filename="${rich.workspace.slug}-[0-9-]{10}\\.${end}"`),
        );
      }
      expect(head.bytes).toHaveLength(0);
    }
  });

  test("is, over tRPC, the URL of the download", async () => {
    const { trpc } = rich.admin;
    const workspacePublicId = rich.workspace.publicId;
    const { url, contentType } = await trpc.workspace.export.query({ workspacePublicId });
    expect(url).toMatch(new RegExp(`/api/v1${path}$`));
    expect(contentType).toBe("application/json");
    expect((await trpc.workspace.export.query({ workspacePublicId, files: true })).url).toMatch(
      /\?files=true$/,
    );
  });

  test("is rejected without workspace:manage and for scoped keys", async () => {
    const refused = async (token: string) => (await fetched(app(), token, path)).status;
    expect(await refused(rich.helper.token)).toBe(403);
    const key = async (bounds: object) =>
      (
        await rich.admin.rest.post("/auth/api-keys", {
          password: "a password for tests",
          name: "Key",
          ...bounds,
        })
      ).body.key;
    const boardPublicId = rich.boards.main;
    expect(await refused(await key({ boardPublicId }))).toBe(403);
    expect(await refused(await key({ permissions: ["workspace:view"] }))).toBe(403);
    const reading = await key({ readOnly: true, workspacePublicId: rich.workspace.publicId });
    expect(await refused(reading)).toBe(200);
  });

  test("accepts only true or false for `files`", async () => {
    const { status, body } = await as(app(), rich.admin).rest.get(`${path}?files=yes`);
    expect([status, body.issues[0].path]).toEqual([400, ["files"]]);
  });
});

describe("the archive", () => {
  test("contains the document, each file once by hash, and a manifest", async () => {
    const { bytes } = await fetched(app(), rich.admin.token, `${path}?files=true`);
    const entries = await entriesOf(bytes);
    const names = [...new Set([...rich.files.values()].map((text) => `files/${sha256(text)}`))];
    expect([...entries.keys()]).toEqual(["workspace.json", ...names.toSorted(), "manifest.json"]);
    for (const name of names) expect(sha256(entries.get(name) ?? "")).toBe(name.slice(6));
    const inside = JSON.parse(String(entries.get("workspace.json")));
    expect({ ...inside, exportedAt: "" }).toEqual({ ...document, exportedAt: "" });
    const manifest = { files: names.length, missing: [], complete: true };
    expect(JSON.parse(String(entries.get("manifest.json")))).toEqual(manifest);
  });

  test("waits while its reader is at the limit of bytes, and counts all files", async () => {
    const { archives } = app().deps;
    const { add, isSpent } = archives;
    let [isHeld, asked, counted] = [true, 0, 0];
    archives.isSpent = (who) => (asked++, isHeld ? Promise.resolve(true) : isSpent(who));
    archives.add = (who, bytes) => ((counted += bytes), add(who, bytes));
    onTestFinished(() => void Object.assign(archives, { add, isSpent }));
    const reading = fetched(app(), rich.admin.token, `${path}?files=true`);
    await expect.poll(() => asked).toBeGreaterThan(2);
    expect(counted).toBe(0);
    isHeld = false;
    const entries = [...(await entriesOf((await reading).bytes))];
    const files = entries.filter(([name]) => name.startsWith("files/"));
    const bytes = files.reduce((sum, [, content]) => sum + content.length, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(counted).toBe(bytes);
  });

  test("lists files that are missing in the storage", async () => {
    for (const lost of await stored(app())) await rm(lost);
    const { bytes } = await fetched(app(), rich.admin.token, `${path}?files=true`);
    const { missing, files } = JSON.parse(String((await entriesOf(bytes)).get("manifest.json")));
    expect([missing.length, files]).toEqual([3, 0]);
  });

  test.each([
    ["unavailable", unavailable("storage_unavailable", "The file storage does not answer.")],
    ["out of handles", Object.assign(new Error("too many open files"), { code: "EMFILE" })],
    ["refusing", new Error("The storage answered 403 to GET.")],
  ])("breaks off when the storage is %s: no file is called missing", async (_, error) => {
    const files = { ...app().deps.files, get: () => Promise.reject(error) };
    const { fetch } = createApp({ ...app().deps, files });
    const headers = { Authorization: `Bearer ${rich.admin.token}` };
    const request = new Request(`http://service/api/v1${path}?files=true`, { headers });
    const response = await fetch(request);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(app().errors.splice(0)).toHaveLength(error instanceof Failure ? 0 : 1);
  });
});
