import { describe, expect, test } from "vitest";
import { setOverride } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { as, type As } from "../../support/as.ts";
import { join, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();

async function add(
  { admin, publicId }: Workspace,
  name: string,
  more: object = {},
): Promise<string> {
  const { body } = await admin.rest.post(`/workspaces/${publicId}/boards`, { name, ...more });
  return body.publicId;
}

async function names({ publicId }: Workspace, user: As, query = ""): Promise<string[]> {
  const { status, body } = await user.rest.get(`/workspaces/${publicId}/boards?${query}`);
  expect(status).toBe(200);
  return body.items.map(({ name }: { name: string }) => name);
}

const favour = (user: As, board: string, favourite = true) =>
  user.rest.put(`/boards/${board}/favourite`, { favourite });

describe("board.list", () => {
  test("sorts names without case and accents, page by page, in every locale", async () => {
    const workspace = await makeWorkspace(app());
    const sorted = [
      "Äpfel",
      "Birnen",
      "éclairs",
      "Öl",
      "ÖL 2",
      "zebra",
      "Ёлка",
      "ёлка 2",
      "Яблоко",
    ];
    for (const name of sorted.toReversed()) await add(workspace, name);
    expect(await names(workspace, workspace.admin)).toEqual(sorted);
    const paged: string[] = [];
    for (let cursor = ""; ;) {
      const query = `limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const path = `/workspaces/${workspace.publicId}/boards?${query}`;
      const { body } = await workspace.admin.rest.get(path);
      paged.push(...body.items.map(({ name }: { name: string }) => name));
      if (body.nextCursor === null) break;
      cursor = body.nextCursor;
    }
    expect(paged).toEqual(sorted);
  });

  test("shows the caller's favourites first, then by name whatever its case", async () => {
    const workspace = await makeWorkspace(app());
    const { admin } = workspace;
    for (const name of ["delta", "Alpha", "charlie"]) await add(workspace, name);
    const bravo = await add(workspace, "bravo", { lists: ["One", "Two"], description: "Text" });
    expect(await names(workspace, admin)).toEqual(["Alpha", "bravo", "charlie", "delta"]);
    expect((await favour(admin, bravo)).body).toMatchObject({
      success: true,
      isFavourite: true,
      listCount: 2,
    });
    expect(await names(workspace, admin)).toEqual(["bravo", "Alpha", "charlie", "delta"]);
    const { body } = await admin.rest.get(`/workspaces/${workspace.publicId}/boards?limit=1`);
    expect(body.items).toEqual([
      {
        publicId: bravo,
        name: "bravo",
        description: "Text",
        slug: "bravo",
        type: "regular",
        visibility: "private",
        openWorkMode: "off",
        isArchived: false,
        version: 1,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        workspacePublicId: workspace.publicId,
        isFavourite: true,
        listCount: 2,
      },
    ]);
    const member = await join(app(), workspace, "member");
    expect(await names(workspace, member)).toEqual(["Alpha", "bravo", "charlie", "delta"]);
  });

  test("shows the lists and labels of each board only if asked, and as the caller may see them", async () => {
    const workspace = await makeWorkspace(app());
    const { admin } = workspace;
    await add(workspace, "one", { lists: ["A", "B", "C"], labels: ["b", "a"] });
    await add(workspace, "two");
    const path = `/workspaces/${workspace.publicId}/boards`;
    const read = async (user: As, query: string) =>
      (await user.rest.get(`${path}?${query}`)).body.items;
    const [one] = await read(admin, "withLists=true");
    await admin.rest.put(`/lists/${one.lists[1].publicId}`, { isArchived: true });
    await admin.rest.delete(`/labels/${one.labels[1].publicId}`);
    const id = expect.stringMatching(/^[0-9a-z]{12}$/);
    const lists = [
      { publicId: id, name: "A", index: 0 },
      { publicId: id, name: "C", index: 1 },
    ];
    const labels = [{ publicId: id, name: "a", colourCode: "#6b7280" }];
    expect(await read(admin, "withLists=true")).toMatchObject([
      { name: "one", listCount: 2, lists, labels },
      { name: "two", listCount: 0, lists: [], labels: [] },
    ]);
    for (const plain of await read(admin, "withLists=false")) {
      expect(plain).not.toHaveProperty("lists");
      expect(plain).not.toHaveProperty("labels");
    }
    const member = await join(app(), workspace, "member");
    await setOverride(app(), member.memberPublicId, "list:view", false);
    expect((await read(member, "withLists=true"))[0]).toMatchObject({ lists: [], labels });
  });

  test("narrows by favourite, type and archive, and never by what was not asked", async () => {
    const workspace = await makeWorkspace(app());
    const { admin } = workspace;
    const one = await add(workspace, "one");
    await add(workspace, "two", { type: "template" });
    const old = await add(workspace, "old");
    await admin.rest.put(`/boards/${old}`, { isArchived: true });
    await favour(admin, one);
    const cases = {
      "favourite=true": ["one"],
      "favourite=false": ["two"],
      "type=template": ["two"],
      "type=regular": ["one"],
    };
    for (const [query, expected] of Object.entries(cases))
      expect(await names(workspace, admin, query), query).toEqual(expected);
    expect(await names(workspace, admin, "archived=false")).toEqual(["one", "two"]);
    expect(await names(workspace, admin, "archived=true")).toEqual(["old"]);
    expect(
      (await admin.rest.get(`/workspaces/${workspace.publicId}/boards?archived=maybe`)).status,
    ).toBe(400);
  });

  test("pages neither repeat nor miss boards while boards are added and deleted", async () => {
    const workspace = await makeWorkspace(app());
    const { admin } = workspace;
    const ids: string[] = [];
    for (const name of ["a", "b", "b", "c", "d", "e"]) ids.push(await add(workspace, name));
    await favour(admin, ids[4] ?? "");
    const read = (cursor: string) =>
      admin.rest.get(`/workspaces/${workspace.publicId}/boards?limit=2${cursor}`);
    const next = (body: { nextCursor: string }) => `&cursor=${encodeURIComponent(body.nextCursor)}`;
    const first = (await read("")).body;
    expect(first.items.map(({ name }: { name: string }) => name)).toEqual(["d", "a"]);
    await admin.rest.delete(`/boards/${ids[0]}`);
    await add(workspace, "aa");
    const second = (await read(next(first))).body;
    const third = (await read(next(second))).body;
    const rest = [...second.items, ...third.items].map(({ name }: { name: string }) => name);
    expect(rest).toEqual(["aa", "b", "b", "c"]);
    expect((await read(next(third))).body).toMatchObject({
      items: [{ name: "e" }],
      nextCursor: null,
    });
    const other = await makeWorkspace(app(), admin);
    expect(
      (await admin.rest.get(`/workspaces/${other.publicId}/boards?limit=2${next(first)}`)).status,
    ).toBe(400);
  });

  test("hides a restricted board from those who are not on it", async () => {
    const workspace = await makeWorkspace(app());
    const [on, off] = [
      await join(app(), workspace, "guest"),
      await join(app(), workspace, "member"),
    ];
    const board = await add(workspace, "secret", { visibility: "restricted" });
    await add(workspace, "open");
    await workspace.admin.rest.put(`/boards/${board}/members/${on.memberPublicId}`);
    expect(await names(workspace, on)).toEqual(["open", "secret"]);
    expect(await names(workspace, workspace.admin)).toEqual(["open", "secret"]);
    expect(await names(workspace, off)).toEqual(["open"]);
    await setOverride(app(), off.memberPublicId, "workspace:manage", true);
    expect(await names(workspace, off)).toEqual(["open", "secret"]);
    // A key without workspace:manage does not manage, whatever its owner's role.
    const key = await off.rest.post("/auth/api-keys", { name: "key", permissions: ["board:view"] });
    expect(await names(workspace, as(app(), key.body.key))).toEqual(["open"]);
  });

  test("shows no deleted boards, and no boards of other workspaces", async () => {
    const workspace = await makeWorkspace(app());
    const other = await makeWorkspace(app(), workspace.admin);
    await workspace.admin.rest.delete(`/boards/${await add(workspace, "gone")}`);
    await add(other, "theirs");
    expect(await names(workspace, workspace.admin)).toEqual([]);
  });
});

describe("board.favourite", () => {
  test("can be set twice and unset twice, and emits no event of the workspace", async () => {
    const workspace = await makeWorkspace(app());
    const board = await add(workspace, "one");
    const where = { userId: null };
    const before = await app().db.reader.event.count({ where });
    for (const favourite of [true, true, false, false]) {
      expect((await favour(workspace.admin, board, favourite)).status).toBe(200);
      expect(await names(workspace, workspace.admin, `favourite=${favourite}`)).toEqual(["one"]);
    }
    expect(await app().db.reader.event.count({ where })).toBe(before);
  });
});
