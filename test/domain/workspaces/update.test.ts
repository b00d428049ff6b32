import { describe, expect, test } from "vitest";
import { eventsIn, tally } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();

const update = (
  { admin, publicId }: Workspace,
  body: object,
  headers: Record<string, string> = {},
) => admin.rest.put(`/workspaces/${publicId}`, body, { headers });
const updates = (workspace: Workspace) => eventsIn(app(), workspace.publicId, "workspace.updated");

describe("workspace.update", () => {
  test("changes only the given fields", async () => {
    const workspace = await makeWorkspace(app());
    const { body: before } = await workspace.admin.rest.get(`/workspaces/${workspace.publicId}`);
    const change = {
      name: "Renamed",
      description: "Now with text",
      weekStartDay: 0,
      cardPrefix: "REN",
    };
    const { status, body } = await update(workspace, change);
    expect({ status, body }).toEqual({ status: 200, body: { ...before, ...change, version: 2 } });
  });

  test("clears the description with null, and does not change it when absent", async () => {
    const workspace = await makeWorkspace(app());
    await update(workspace, { description: "text" });
    expect((await update(workspace, { weekStartDay: 6 })).body.description).toBe("text");
    expect((await update(workspace, { description: null })).body.description).toBeNull();
  });

  test("emits the changed fields with old and new values", async () => {
    const workspace = await makeWorkspace(app());
    const { body } = await update(workspace, {
      name: "Renamed",
      weekStartDay: 1,
      showEmailsToMembers: false,
    });
    const events = await updates(workspace);
    expect(events).toMatchObject([{ data: { workspace: { name: "Renamed", version: 2 } } }]);
    expect(events[0]?.changes).toEqual({
      name: { from: expect.stringMatching(/^Workspace \d+$/), to: body.name },
      showEmailsToMembers: { from: true, to: false },
    });
  });

  test.each([
    {},
    { slug: "own" },
    { description: null, weekStartDay: 1, showEmailsToMembers: true },
  ])("does nothing when nothing changes: %j", async (body) => {
    const workspace = await makeWorkspace(app());
    const same = "slug" in body ? { slug: workspace.slug } : body;
    const reply = await update(workspace, same);
    expect(reply).toMatchObject({ status: 200, body: { version: 1, slug: workspace.slug } });
    expect(await updates(workspace)).toEqual([]);
  });

  test.each([
    [{ name: "" }, "name"],
    [{ name: null }, "name"],
    [{ name: "x".repeat(65) }, "name"],
    [{ description: "x".repeat(281) }, "description"],
    [{ slug: "a b" }, "slug"],
    [{ weekStartDay: 7 }, "weekStartDay"],
    [{ weekStartDay: -1 }, "weekStartDay"],
    [{ cardPrefix: "eng" }, "cardPrefix"],
    [{ cardPrefix: "" }, "cardPrefix"],
    [{ cardPrefix: "ELEVENCHARS" }, "cardPrefix"],
    [{ showEmailsToMembers: "false" }, "showEmailsToMembers"],
    [{ plan: "enterprise" }, "plan"],
    [{ deletedAt: null }, "deletedAt"],
  ])("rejects %j", async (body, field) => {
    const workspace = await makeWorkspace(app());
    const reply = await update(workspace, body);
    expect(reply).toMatchObject({ status: 400, body: { issues: [{ path: [field] }] } });
    expect(await updates(workspace)).toEqual([]);
  });

  test("stores a free slug as given, and accepts no reserved or taken one", async () => {
    const [workspace, other] = [await makeWorkspace(app()), await makeWorkspace(app())];
    const slug = `Fresh-${Math.random().toString(36).slice(2)}`;
    expect((await update(workspace, { slug })).body.slug).toBe(slug);
    for (const taken of [other.slug, other.slug.toUpperCase(), "settings", "Settings"]) {
      const refused = await update(workspace, { slug: taken, name: "No" });
      expect(refused).toMatchObject({ status: 409, body: { issues: [{ path: ["slug"] }] } });
    }
    const { body } = await workspace.admin.rest.get(`/workspaces/${workspace.publicId}`);
    expect(body).toMatchObject({ slug, version: 2 });
    const capitals = await update(workspace, { slug: slug.toUpperCase() });
    expect(capitals.body).toMatchObject({ slug: slug.toUpperCase(), version: 3 });
    expect((await other.admin.rest.post("/workspaces", { name: "A", slug })).status).toBe(409);
    expect(await updates(workspace)).toHaveLength(2);
  });

  test("gives a slug to one of many concurrent requests", async () => {
    const workspaces = await Promise.all(Array.from({ length: 5 }, () => makeWorkspace(app())));
    const slug = `race-${Math.random().toString(36).slice(2)}`;
    const replies = await Promise.all(workspaces.map((workspace) => update(workspace, { slug })));
    expect(tally(replies)).toEqual({ 200: 1, 409: 4 });
  });

  test("is the prefix of every card number from now on", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    const card = await makeCard(workspace.admin, board.lists[0] ?? "");
    await update(workspace, { cardPrefix: "NEW2" });
    expect((await workspace.admin.rest.get(`/cards/${card}`)).body.cardNumber).toBe("NEW2-1");
  });

  test("rejects a stale version and changes nothing", async () => {
    const workspace = await makeWorkspace(app());
    expect(
      (await update(workspace, { name: "First" }, { "If-Match": '"1"' })).headers.get("etag"),
    ).toBe('"2"');
    expect((await update(workspace, { name: "Second" }, { "If-Match": '"1"' })).status).toBe(412);
    const { body } = await workspace.admin.rest.get(`/workspaces/${workspace.publicId}`);
    expect(body).toMatchObject({ name: "First", version: 2 });
  });
});
