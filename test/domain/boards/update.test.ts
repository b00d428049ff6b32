import { describe, expect, test } from "vitest";
import { tally } from "../../kernel/access/membership.ts";
import { setOverride } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeWorkspace } from "../../support/make.ts";
import { boardEvents, create } from "./making.ts";

const app = useApp();

describe("board.update", () => {
  test("changes the given fields, and emits the changes", async () => {
    const workspace = await makeWorkspace(app());
    const board = await create(workspace, "Old", { description: "Text" });
    const { status, body, headers } = await workspace.admin.rest.put(`/boards/${board.publicId}`, {
      name: " New ",
      description: null,
      slug: "Brand-New",
      visibility: "public",
    });
    expect(status).toBe(200);
    expect(headers.get("etag")).toBe('"2"');
    expect(body).toMatchObject({
      name: "New",
      description: null,
      slug: "Brand-New",
      visibility: "public",
      version: 2,
    });
    expect(body).not.toHaveProperty("lists");
    expect(await boardEvents(app(), workspace)).toMatchObject([
      {
        type: "board.updated",
        boardPublicId: board.publicId,
        data: { board: { publicId: board.publicId, name: "New", version: 2 } },
        changes: {
          name: { from: "Old", to: "New" },
          description: { from: "Text", to: null },
          slug: { from: "old", to: "Brand-New" },
          visibility: { from: "private", to: "public" },
        },
      },
    ]);
  });

  test("archives and unarchives, each with one event of its own type", async () => {
    const workspace = await makeWorkspace(app());
    const { publicId } = await create(workspace, "Board");
    const put = (body: object) => workspace.admin.rest.put(`/boards/${publicId}`, body);
    expect((await put({ isArchived: true })).body).toMatchObject({ isArchived: true, version: 2 });
    expect((await put({ isArchived: true })).body).toMatchObject({ version: 2 });
    expect((await put({ isArchived: false, name: "Again" })).body).toMatchObject({
      isArchived: false,
      version: 4,
    });
    expect(
      (await boardEvents(app(), workspace)).map(({ type, changes }) => [type, changes]),
    ).toEqual([
      ["board.archived", { isArchived: { from: false, to: true } }],
      ["board.updated", { name: { from: "Board", to: "Again" } }],
      ["board.unarchived", { isArchived: { from: true, to: false } }],
    ]);
  });

  test("does nothing, and emits no event, when nothing changes", async () => {
    const workspace = await makeWorkspace(app());
    const board = await create(workspace, "Board");
    for (const body of [
      {},
      { name: "Board", slug: "board" },
      { isArchived: false, visibility: "private", description: null },
    ]) {
      const reply = await workspace.admin.rest.put(`/boards/${board.publicId}`, body);
      expect(reply).toMatchObject({ status: 200, body: { version: 1 } });
    }
    expect(await boardEvents(app(), workspace)).toEqual([]);
  });

  test("gives a slug once among the live boards of a workspace, whatever its case", async () => {
    const workspace = await makeWorkspace(app());
    const [one, two] = [await create(workspace, "One"), await create(workspace, "Two")];
    const take = (slug: string) => workspace.admin.rest.put(`/boards/${two.publicId}`, { slug });
    for (const slug of ["one", "ONE", "settings", "By-Slug"]) {
      expect(await take(slug)).toMatchObject({
        status: 409,
        body: { issues: [{ path: ["slug"] }] },
      });
    }
    expect((await take("a!b")).status).toBe(400);
    await workspace.admin.rest.delete(`/boards/${one.publicId}`);
    expect((await take("One")).body.slug).toBe("One");
    expect((await take("ONE")).body).toMatchObject({ slug: "ONE", version: 3 });
    const other = await makeWorkspace(app(), workspace.admin);
    const theirs = await create(other, "Theirs");
    expect(
      (await workspace.admin.rest.put(`/boards/${theirs.publicId}`, { slug: "one" })).status,
    ).toBe(200);
  });

  test("lets one of many that want a slug at the same moment have it", async () => {
    const workspace = await makeWorkspace(app());
    const boards = [];
    for (let n = 0; n < 5; n++) boards.push(await create(workspace, `Board ${n}`));
    const replies = await Promise.all(
      boards.map(({ publicId }) =>
        workspace.admin.rest.put(`/boards/${publicId}`, { slug: "mine" }),
      ),
    );
    expect(tally(replies)).toEqual({ 200: 1, 409: 4 });
  });

  test("adds the caller who restricts a board to its members", async () => {
    const workspace = await makeWorkspace(app());
    const [maker, other] = [
      await join(app(), workspace, "member"),
      await join(app(), workspace, "member"),
    ];
    const { body } = await maker.rest.post(`/workspaces/${workspace.publicId}/boards`, {
      name: "Mine",
    });
    await maker.rest.delete(`/boards/${body.publicId}/members/${maker.memberPublicId}`);
    expect(
      (await maker.rest.put(`/boards/${body.publicId}`, { visibility: "restricted" })).status,
    ).toBe(200);
    expect((await maker.rest.get(`/boards/${body.publicId}`)).status).toBe(200);
    expect((await other.rest.get(`/boards/${body.publicId}`)).status).toBe(403);
  });
});

describe("board.checkSlugAvailability", () => {
  test("distinguishes taken, reserved, free and own slugs", async () => {
    const workspace = await makeWorkspace(app());
    const [one] = [await create(workspace, "One"), await create(workspace, "Two")];
    const gone = await create(workspace, "Gone");
    await workspace.admin.rest.delete(`/boards/${gone.publicId}`);
    const ask = async (slug: string) =>
      (
        await workspace.admin.rest.get(
          `/boards/${one.publicId}/check-slug-availability?slug=${slug}`,
        )
      ).body;
    expect(await ask("one")).toEqual({ isAvailable: true, isReserved: false });
    expect(await ask("TWO")).toEqual({ isAvailable: false, isReserved: false });
    expect(await ask("gone")).toEqual({ isAvailable: true, isReserved: false });
    expect(await ask("Admin")).toEqual({ isAvailable: false, isReserved: true });
    expect(await ask("a_b")).toMatchObject({ code: "BAD_REQUEST" });
  });
});

test("the slug of a restricted board cannot be guessed, however it became restricted", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const boards = `/workspaces/${workspace.publicId}/boards`;
  const made = await rest.post(boards, { name: "Layoffs 2027", visibility: "restricted" });
  const { publicId } = (await rest.post(boards, { name: "Mergers" })).body;
  const turned = await rest.put(`/boards/${publicId}`, { visibility: "restricted" });
  const named = await rest.put(`/boards/${publicId}`, { slug: "buyers" });
  const same = await rest.put(`/boards/${publicId}`, { slug: named.body.slug, name: "Bids" });
  const source = { sourceBoardPublicId: made.body.publicId };
  const copied = await rest.post(boards, { name: "Layoffs 2028", ...source });
  const slugs = [made, turned, named, copied].map(({ body }) => body.slug);
  const bases = ["layoffs-2027", "mergers", "buyers", "layoffs-2028"];
  for (const [nth, base] of bases.entries()) {
    expect(slugs[nth]).toMatch(new RegExp(`^${base}-[a-z0-9]{6}$`));
  }
  expect(same.body.slug).toBe(named.body.slug);

  const member = await join(app(), workspace, "member");
  await setOverride(app(), member.memberPublicId, "board:edit", true);
  const own = await member.rest.post(boards, { name: "Layoffs 2027" });
  expect(own.body.slug).toBe("layoffs-2027");
  const check = `/boards/${own.body.publicId}/check-slug-availability?slug=${named.body.slug}`;
  expect((await member.rest.get(check)).body).toEqual({ isAvailable: true, isReserved: false });
  expect((await rest.get(check)).body).toEqual({ isAvailable: false, isReserved: false });
  expect((await member.rest.put(`/boards/${own.body.publicId}`, { slug: "mergers" })).status).toBe(
    200,
  );
});
