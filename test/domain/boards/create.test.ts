import { describe, expect, test } from "vitest";
import { eventsIn, tally } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { readBoard } from "../../support/board.ts";
import { join, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();

const create = ({ admin, publicId }: Workspace, body: object) =>
  admin.rest.post(`/workspaces/${publicId}/boards`, body);

describe("board.create", () => {
  test("makes a board with its lists and labels, in the order that they are given in", async () => {
    const workspace = await makeWorkspace(app());
    const lists = Array.from({ length: 50 }, (_, nth) => `List ${nth}`);
    const labels = [
      { name: "Bug", colourCode: "#ff0000" },
      { name: "Idea", colourCode: "#00FF00" },
    ];
    const { status, body } = await create(workspace, {
      name: " Roadmap ",
      description: "Where to",
      lists,
      labels,
    });
    const now = app().deps.clock().toISOString();
    expect(status).toBe(200);
    expect(body).toEqual({
      publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
      workspacePublicId: workspace.publicId,
      name: "Roadmap",
      description: "Where to",
      slug: "roadmap",
      type: "regular",
      visibility: "private",
      openWorkMode: "off",
      isArchived: false,
      version: 1,
      createdAt: now,
      updatedAt: now,
      fields: [],
      lists: lists.map((name) => ({
        publicId: expect.any(String),
        name,
        wipLimit: null,
        wipMode: "warn",
        cardsOverLimit: 0,
        isArchived: false,
        version: 1,
        createdAt: now,
        updatedAt: now,
        cardCount: 0,
        cards: [],
      })),
      labels: labels.map((label) => ({ publicId: expect.any(String), ...label })),
    });
    expect(await readBoard(workspace.admin, body.publicId)).toEqual(body);
  });

  test("creates an empty board", async () => {
    const workspace = await makeWorkspace(app());
    const { body } = await create(workspace, {
      name: "Bare",
      type: "template",
      visibility: "public",
    });
    expect(body).toMatchObject({
      description: null,
      type: "template",
      visibility: "public",
      lists: [],
      labels: [],
    });
  });

  test("emits board.created, and no events for its contents", async () => {
    const workspace = await makeWorkspace(app());
    const { body } = await create(workspace, {
      name: "Board",
      lists: ["One"],
      labels: [{ name: "L", colourCode: "#000000" }],
    });
    const events = (await eventsIn(app(), workspace.publicId)).filter(
      ({ type }) => !/^(workspace|member)/.test(type),
    );
    expect(events).toMatchObject([
      {
        type: "board.created",
        boardPublicId: body.publicId,
        data: { board: { publicId: body.publicId, name: "Board" } },
      },
    ]);
  });

  test("finds a slug for each of many boards of one name, independent of other workspaces", async () => {
    const [workspace, other] = [await makeWorkspace(app()), await makeWorkspace(app())];
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => create(workspace, { name: "Same name" })),
    );
    expect(tally(replies)).toEqual({ 200: 5 });
    const slugs = new Set(replies.map(({ body }) => body.slug));
    expect(slugs.size).toBe(5);
    expect(slugs).toContain("same-name");
    expect((await create(other, { name: "Same name" })).body.slug).toBe("same-name");
  });

  test.each([
    [{}, ["name"]],
    [{ name: " " }, ["name"]],
    [{ name: "x".repeat(256) }, ["name"]],
    [{ name: "Ok", lists: ["One", ""] }, ["lists", 1]],
    [{ name: "Ok", lists: Array.from({ length: 51 }, () => "List") }, ["lists"]],
    [{ name: "Ok", labels: [{ name: "L", colourCode: "red" }] }, ["labels", 0, "colourCode"]],
    [{ name: "Ok", labels: [{ name: "L", colourCode: "#000000", id: 1 }] }, ["labels", 0, "id"]],
    [{ name: "Ok", visibility: "secret" }, ["visibility"]],
    [{ name: "Ok", slug: "a b" }, ["slug"]],
  ])("refuses %j", async (body, path) => {
    const workspace = await makeWorkspace(app());
    const reply = await create(workspace, body);
    expect(reply).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
    expect(reply.body.issues[0].path).toEqual(path);
    expect(
      await app().db.reader.board.count({ where: { workspace: { publicId: workspace.publicId } } }),
    ).toBe(0);
  });

  test("makes the creator of a restricted board a member of it", async () => {
    const workspace = await makeWorkspace(app());
    const member = await join(app(), workspace, "member");
    const made = await member.rest.post(`/workspaces/${workspace.publicId}/boards`, {
      name: "Ours",
      visibility: "restricted",
    });
    expect((await member.rest.get(`/boards/${made.body.publicId}`)).status).toBe(200);
  });
});

test("a board gets the slug that is given, as given, unless it is taken or reserved", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const add = (body: object) =>
    rest.post(`/workspaces/${workspace.publicId}/boards`, { name: "Board", ...body });
  expect(await add({ slug: "Web-Site" })).toMatchObject({
    status: 200,
    body: { slug: "Web-Site" },
  });
  for (const [slug, code] of [
    ["web-site", "slug_taken"],
    ["Settings", "slug_reserved"],
  ] as const) {
    const refused = await add({ slug });
    expect(refused).toMatchObject({ status: 409, body: { issues: [{ path: ["slug"], code }] } });
  }
  const hidden = await add({ slug: "web-site", visibility: "restricted" });
  expect(hidden.body.slug).toMatch(/^web-site-[0-9a-z]{6}$/);
  expect((await add({ slug: "a b" })).status).toBe(400);
});
