import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeUser, makeWorkspace } from "../../support/make.ts";
import { clientOf, type KanClient } from "./client.ts";

// The requests of programs for Kan, in the order in which such a program makes them. Each test says
// which programs were also run themselves, unmodified, when it was written.

const app = useApp({ env: { APP_URL: "https://app.example.com" } });

/** A program that stops at the first answer that is not 200, as most do. */
const strict =
  (kan: KanClient) =>
  async (method: string, path: string, body?: object): Promise<any> => {
    const reply = await kan(method, path, body === undefined ? {} : { body });
    expect([method, path, reply.status, reply.status === 200 ? "" : reply.body]).toEqual([
      method,
      path,
      200,
      "",
    ]);
    return reply.body;
  };

const start = async () => strict(clientOf(app(), (await makeUser(app(), "Ada")).token));

/** Creates a workspace, and finds it again by its name as the server of tools does. */
async function makeShop(send: ReturnType<typeof strict>, slug: string) {
  const workspace = await send("POST", "/workspaces", { name: "Shop", slug });
  const entries = await send("GET", "/workspaces");
  expect(entries.find((one: any) => one.name === "Shop").publicId).toBe(workspace.publicId);
  const path = `/workspaces/${workspace.publicId}`;
  expect(await send("GET", path)).toMatchObject({ slug, members: [{ status: "active" }] });
  expect(await send("GET", `/workspaces/${slug}`)).toMatchObject({ name: "Shop", boards: [] });
  expect(await send("PUT", path, { name: "The shop" })).toMatchObject({ name: "The shop" });
  const availability = await send("GET", `/workspaces/check-slug-availability?slug=${slug}`);
  expect(availability.isAvailable).toBe(false);
  return path;
}

/** The tools of boards, lists and labels. */
async function makeSite(send: ReturnType<typeof strict>, workspace: string, slug: string) {
  const boards = `${workspace}/boards`;
  const named = { name: "Website", slug: "Web", visibility: "private" };
  const { publicId } = await send("POST", boards, named);
  expect(await send("GET", boards)).toMatchObject([{ publicId, name: "Website", lists: [] }]);
  const path = `/boards/${publicId}`;
  const changes = { isFavorite: true, slug: "Web-Site" };
  expect(await send("PUT", path, changes)).toMatchObject({ favorite: true, slug: "Web-Site" });
  const bySlug = await send("GET", `/workspaces/${slug}/boards/web-site`);
  expect(bySlug).toMatchObject({ publicId, favorite: true });
  const todo = await send("POST", "/lists", { boardPublicId: publicId, name: "To do" });
  const doing = await send("POST", "/lists", { boardPublicId: publicId, name: "Doing" });
  await send("PUT", `/lists/${doing.publicId}`, { name: "In progress", index: 0 });
  const colour = { boardPublicId: publicId, name: "Bug", colourCode: "#dc2626" };
  const label = await send("POST", "/labels", colour);
  await send("PUT", `/labels/${label.publicId}`, { name: "Fault", colourCode: "#0284c7" });
  const shown = await send("GET", `/labels/${label.publicId}`);
  expect(shown).toMatchObject({ name: "Fault", colourCode: "#0284c7" });
  return { path, todo, doing, label };
}

/** The tools of cards, comments and checklists. */
async function workOnCard(
  send: ReturnType<typeof strict>,
  workspace: string,
  { path, todo, doing, label }: Awaited<ReturnType<typeof makeSite>>,
) {
  const card = await send("POST", "/cards", {
    title: "Draw it",
    description: "",
    listPublicId: todo.publicId,
    position: "start",
    labelPublicIds: [label.publicId],
    memberPublicIds: [],
    dueDate: "2031-02-03",
  });
  const at = `/cards/${card.publicId}`;
  await send("PUT", at, { title: "Draw", listPublicId: doing.publicId, dueDate: null });
  const comment = await send("POST", `${at}/comments`, { comment: "Now" });
  const { publicId } = comment;
  expect(await send("PUT", `${at}/comments/${publicId}`, { comment: "Soon" })).toMatchObject({
    publicId,
    comment: "Soon",
  });
  const toggled = await send("PUT", `${at}/labels/${label.publicId}`);
  expect(toggled).toEqual({ newLabel: false });
  const [me] = (await send("GET", workspace)).members;
  expect(await send("PUT", `${at}/members/${me.publicId}`)).toMatchObject({ newMember: true });
  const checklist = await send("POST", `${at}/checklists`, { name: "Steps" });
  await send("PUT", `/checklists/${checklist.publicId}`, { name: "All steps" });
  const items = `/checklists/${checklist.publicId}/items`;
  const item = await send("POST", items, { title: "Pencil" });
  const done = { title: "Pen", isCompleted: true, index: 0 };
  expect(await send("PATCH", `/checklists/items/${item.publicId}`, done)).toMatchObject({
    title: "Pen",
    completed: true,
  });
  const board = await send("GET", `${path}?labelPublicId=${label.publicId}`);
  expect(board.lists).toMatchObject([
    { name: "In progress", index: 0, cards: [{ title: "Draw", members: [{}], cardNumber: 1 }] },
    { name: "To do", index: 1, cards: [] },
  ]);
  expect(await send("GET", at)).toMatchObject({ title: "Draw", list: { name: "In progress" } });
  expect((await send("GET", `${at}/activities`)).activities[0].type).toMatch(/checklist\.item/);
  const copy = await send("POST", `${at}/duplicate`, { targetListPublicId: todo.publicId });
  expect(copy).toMatchObject({ title: "Draw", cardNumber: 2 });
  const found = await send("GET", `${workspace}/search?query=draw`);
  expect(found).toMatchObject([{ type: "card" }, { type: "card" }]);
  await send("DELETE", `/checklists/items/${item.publicId}`);
  await send("DELETE", `/checklists/${checklist.publicId}`);
  await send("DELETE", `${at}/comments/${publicId}`);
  await send("DELETE", at);
}

/** The tools of members and invitations. */
async function invite(send: ReturnType<typeof strict>, workspace: string) {
  const body = { email: "grace@example.com", role: "guest" };
  const { publicId } = await send("POST", `${workspace}/members/invite`, body);
  const member = `${workspace}/members/${publicId}`;
  expect(await send("PUT", `${member}/role`, { role: "member" })).toMatchObject({ role: "member" });
  await send("DELETE", member);
  const link = await send("POST", `${workspace}/invites`);
  expect(await send("GET", `${workspace}/invite`)).toMatchObject({
    inviteCode: link.inviteCode,
    inviteLink: `https://app.example.com/invites/${link.inviteCode}`,
  });
  await send("DELETE", `${workspace}/invites`);
  expect((await send("GET", `${workspace}/invite`)).isActive).toBe(false);
}

// Run: all 46 tools of Kan's server for the Model Context Protocol, 0.1.0.
test("a server of tools makes a shop, works in it and clears up", async () => {
  const send = await start();
  const slug = "The-Shop";
  const workspace = await makeShop(send, slug);
  const site = await makeSite(send, workspace, slug);
  await workOnCard(send, workspace, site);
  await invite(send, workspace);
  await send("DELETE", `/labels/${site.label.publicId}`);
  await send("DELETE", `/lists/${site.todo.publicId}`);
  await send("DELETE", site.path);
  expect(await send("DELETE", workspace)).toMatchObject({ success: true });
});

const issues = [1, 2, 3].map((number) => ({ number, title: `#${number}: An issue` }));

/** One run of a synchronization of issues with a board that is found by its name. */
async function sync(send: ReturnType<typeof strict>, slug: string): Promise<string[]> {
  const writes: string[] = [];
  const write = async (path: string, body: object) => {
    writes.push(path.replace(/\w{12}/, "…"));
    return send("POST", path, body);
  };
  const workspaces = await send("GET", "/workspaces");
  const { workspace } = workspaces.find((one: any) => one.workspace.slug === slug);
  const boards = `/workspaces/${workspace.publicId}/boards`;
  const known = (await send("GET", boards)).find((one: any) => one.name === "acme/web");
  const named = { name: "acme/web", lists: ["📝 Backlog", "🎉 Done"], labels: [] };
  const { publicId } = known ?? (await write(boards, named));
  const board = await send("GET", `/boards/${publicId}`);
  const cards = board.lists.flatMap((list: any) => list.cards);
  const [backlog] = board.lists;
  for (const { number, title } of issues) {
    const description = `https://github.com/acme/web/issues/${number}`;
    const card = cards.find((one: any) => one.title.startsWith(`#${number}:`));
    const isCurrent = card?.description === description && card.listPublicId === backlog.publicId;
    if (isCurrent) continue;
    const where = { listPublicId: backlog.publicId, position: "end" };
    const relations = { labelPublicIds: [], memberPublicIds: [] };
    await write("/cards", { title, description, ...where, ...relations });
  }
  return writes;
}

// Run: kanbn-github-sync 2.0.2, against a stand-in of GitHub.
test("a synchronization with GitHub writes nothing at its second run, among many boards", async () => {
  const user = await makeUser(app(), "Ada");
  const send = strict(clientOf(app(), user.token));
  const workspace = await makeWorkspace(app(), user);
  const path = `/workspaces/${workspace.publicId}/boards`;
  for (let nth = 0; nth < 105; nth++) await user.rest.post(path, { name: `A board ${nth}` });
  await user.rest.put(`/workspaces/${workspace.publicId}`, { slug: "ACME" });
  expect(await sync(send, "ACME")).toEqual(["/workspaces/…/boards", "/cards", "/cards", "/cards"]);
  expect(await sync(send, "ACME")).toEqual([]);
  expect(await send("GET", path)).toHaveLength(106);
});
