import { upload } from "../../domain/attachments/files.ts";
import type { App } from "../../support/app.ts";
import { join, makeUser, makeWorkspace, type User, type Workspace } from "../../support/make.ts";
import { insertLink } from "../../support/rows.ts";

/** Text that breaks whatever is not careful with text. */
export const strange =
  '=1+1 "quoted", \\ back; <b>tag</b>\n\u2028 Ünïcödé 👩‍🚀 \u202E العربية \t tab';

/** A workspace in which every feature is used at least once. */
export type Rich = {
  workspace: Workspace;
  admin: User;
  helper: User & { memberPublicId: string };
  boards: Record<"main" | "secret" | "open" | "old" | "template", string>;
  cards: Record<"full" | "plain" | "archived", string>;
  files: Map<string, string>;
};

/** Creates it, over the API where it can. */
export async function makeRich(app: App): Promise<Rich> {
  const admin = await makeUser(app, "Ada Ünïcode");
  const workspace = await makeWorkspace(app, admin);
  const home = `/workspaces/${workspace.publicId}`;
  const { rest } = admin;
  const ok = async <Body = any>(reply: Promise<{ status: number; body: Body }>): Promise<Body> => {
    const { status, body } = await reply;
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  };
  await ok(
    rest.put(home, {
      description: strange.slice(0, 200),
      cardPrefix: "RICH",
      weekStartDay: 0,
      timeZone: "Asia/Tokyo",
    }),
  );
  const helper = await join(app, workspace, "member");
  const gone = await join(app, workspace, "guest");
  const reviewer = await ok(
    rest.post(`${home}/roles`, {
      name: "reviewer",
      description: "Reads & says",
      hierarchyLevel: 40,
      permissions: ["workspace:view", "board:view", "list:view", "card:view", "comment:create"],
    }),
  );
  await ok(
    rest.post(`${home}/roles/${workspace.roles.guest}/permissions/grant`, {
      permission: "comment:create",
    }),
  );
  await ok(
    rest.post(`${home}/members/invite`, {
      email: "someone.new@example.com",
      rolePublicId: reviewer.publicId,
    }),
  );
  await ok(
    rest.post(`${home}/members/${helper.memberPublicId}/permissions/grant`, {
      permission: "board:delete",
    }),
  );
  await ok(
    rest.post(`${home}/members/${helper.memberPublicId}/permissions/revoke`, {
      permission: "board:create",
    }),
  );
  const me = (await ok(rest.get(`${home}/members`))).items.find(
    (one: { email: string }) => one.email === admin.email,
  ).publicId;

  const board = (name: string, more: object = {}) =>
    ok(rest.post(`${home}/boards`, { name, ...more }));
  const main = await board("Main board", {
    description: strange,
    lists: ["To do", "Doing", "Done", "Shelf", "Gone"],
    labels: [
      { name: "Urgent", colourCode: "#d73a4a" },
      { name: strange.slice(0, 30).trim(), colourCode: "#00ff00" },
      { name: "Deleted", colourCode: "#000000" },
    ],
  });
  const secret = await board("Secret", { visibility: "restricted", lists: ["Only"] });
  await ok(rest.put(`/boards/${secret.publicId}/members/${helper.memberPublicId}`));
  const open = await board("Open", { visibility: "public", lists: ["Shown"] });
  const old = await board("Old", { lists: ["Past"] });
  await ok(rest.put(`/boards/${old.publicId}`, { isArchived: true }));
  const template = await board("Template", { type: "template", lists: ["One", "Two"] });
  const trashed = await board("Trashed", { lists: ["Away"] });
  await ok(rest.post("/cards", { title: "In the trash", listPublicId: trashed.lists[0].publicId }));
  await ok(rest.delete(`/boards/${trashed.publicId}`));

  const [todo, doing, done, shelf, goneList] = main.lists.map(
    (one: { publicId: string }) => one.publicId,
  );
  const [urgent, odd, deletedLabel] = main.labels.map((one: { publicId: string }) => one.publicId);
  await ok(rest.put(`/lists/${doing}`, { wipLimit: 7, wipMode: "block", index: 0 }));
  const sizes = [{ name: "S" }, { name: strange.slice(0, 30).trim(), colourCode: "#00ff00" }];
  const fieldOf = (boardPublicId: string, body: object) =>
    ok(rest.post(`/boards/${boardPublicId}/fields`, body));
  const field = async (name: string, type: string, more: object = {}) =>
    fieldOf(main.publicId, { name, type, isShownOnCard: true, ...more });
  const size = await field("Size", "select", { options: sizes });
  const tags = await field("Tags", "multiSelect", { options: [...sizes, { name: "Dropped" }] });
  const effort = await field("Effort", "number", { unit: "h", isShownOnCard: false });
  const [note, when, isReady, owner, link] = [
    await field(strange.slice(0, 40).trim(), "text"),
    await field("When", "date"),
    await field("Ready", "checkbox"),
    await field("Owner", "member"),
    await field("Link", "url", { isShownOnCard: false }),
  ].map(({ publicId }) => publicId);
  const deletedField = await field("Deleted", "text");
  await fieldOf(old.publicId, { name: "Size", type: "select", options: sizes });
  await fieldOf(old.publicId, { name: "Effort", type: "number" });
  const fields = {
    [size.publicId]: size.options[1].publicId,
    [tags.publicId]: tags.options.map((one: { publicId: string }) => one.publicId),
    [effort.publicId]: -0.125,
    [String(note)]: strange,
    [String(when)]: "0099-12-31T23:59:59.999+02:00",
    [String(isReady)]: false,
    [String(owner)]: helper.memberPublicId,
    [String(link)]: `https://example.com/?a=1&b="2"`,
    [deletedField.publicId]: "gone",
  };
  const view = (name: string, more: object = {}, by = rest) =>
    ok(by.post(`${home}/views`, { name, ...more }));
  await view("Private", {
    filter: { and: [{ field: "members", op: "isAnyOf", value: ["me", helper.memberPublicId] }] },
    groupBy: { field: `fields.${tags.publicId}` },
  });
  await view("Of another member", {}, helper.rest);
  await view(strange.slice(0, 30).trim(), {
    scope: "board",
    boardPublicId: main.publicId,
    sortBy: [{ field: `fields.${effort.publicId}`, order: "desc" }, { field: "dueDate" }],
    filter: {
      or: [
        { not: { field: "labels", op: "is", value: urgent } },
        { field: "listPublicId", op: "isAnyOf", value: [todo, doing] },
        { field: `fields.${size.publicId}`, op: "is", value: size.options[1].publicId },
        { field: `fields.${String(owner)}`, op: "isNot", value: helper.memberPublicId },
        { field: `fields.${effort.publicId}`, op: "lte", value: 3.5 },
        { field: "dueDate", op: "isEmpty" },
      ],
    },
  });
  await view("Of the workspace", {
    scope: "workspace",
    boards: [old.publicId, main.publicId],
    layout: "calendar",
    groupBy: { field: "due" },
  });
  await ok(rest.delete(`/views/${(await view("Deleted", { scope: "workspace" })).publicId}`));
  const card = (title: string, listPublicId: string, more: object = {}) =>
    ok(rest.post("/cards", { title, listPublicId, ...more }));
  const plain = await card("Plain", todo);
  const full = await card(strange.trim(), todo, {
    index: 0,
    description: `${strange}\n\n${"long ".repeat(4000)} @[Helper](${helper.memberPublicId})`,
    startDate: "2026-01-01T00:00:00Z",
    dueDate: "0099-12-31T23:59:59.999+02:00",
    labelPublicIds: [urgent, odd, deletedLabel],
    memberPublicIds: [helper.memberPublicId, gone.memberPublicId, me],
    checklists: [{ name: "First", items: ["a", "b", strange.trim()] }, { name: "Empty" }],
    fields,
  });
  await ok(
    rest.post(`/cards/${plain.publicId}/relations`, {
      kind: "blocks",
      relatedCardPublicId: full.publicId,
    }),
  );
  await ok(rest.delete(`/fields/${deletedField.publicId}`));
  await ok(rest.put(`/fields/${tags.publicId}`, { options: tags.options.slice(0, 2) }));
  await ok(rest.delete(`/labels/${deletedLabel}`));
  const [first] = full.checklists;
  const items = first.items.map((one: { publicId: string }) => one.publicId);
  await ok(
    rest.put(`/checklists/items/${items[0]}`, {
      completed: true,
      memberPublicId: helper.memberPublicId,
    }),
  );
  await ok(
    rest.put(`/checklists/items/${items[1]}`, {
      dueDate: "2027-03-04T05:06:07.008Z",
      memberPublicId: gone.memberPublicId,
    }),
  );
  await ok(rest.put(`/checklists/items/${items[2]}`, { index: 0 }));
  const more = await ok(rest.post(`/cards/${full.publicId}/checklists`, { name: "Dropped" }));
  await ok(rest.delete(`/checklists/${more.publicId}`));

  const comment = (user: User, text: string) =>
    ok(user.rest.post(`/cards/${full.publicId}/comments`, { comment: text }));
  await comment(admin, strange);
  const edited = await comment(helper, `Hello @[Ada](${me}), see you`);
  await ok(
    helper.rest.put(`/cards/${full.publicId}/comments/${edited.publicId}`, {
      comment: `${edited.comment}!`,
    }),
  );
  await comment(gone, "I was here");
  const dropped = await comment(admin, "Never mind");
  await ok(rest.delete(`/cards/${full.publicId}/comments/${dropped.publicId}`));

  const files = new Map<string, string>();
  const attach = async (to: string, filename: string, text: string) => {
    files.set(filename, text);
    return ok(
      upload(app, admin, to, text, { filename, headers: { "Content-Type": "text/plain" } }),
    );
  };
  await attach(full.publicId, "ünï.txt", "one file");
  await attach(plain.publicId, "same.txt", "one file");
  await attach(plain.publicId, "other.txt", `another ${"x".repeat(200_000)}`);
  await attach(plain.publicId, "empty.txt", "");
  const away = await attach(plain.publicId, "away.txt", "deleted");
  await ok(rest.delete(`/attachments/${away.publicId}`));
  files.delete("away.txt");
  await insertLink(app, full.publicId, `https://example.com/?a=1&b="2"`);

  await ok(rest.put(`/cards/${full.publicId}`, { title: `${strange.trim()} again` }));
  await ok(
    rest.put(`/cards/${full.publicId}`, {
      fields: { [size.publicId]: size.options[0].publicId, [effort.publicId]: 1.5 },
    }),
  );
  await ok(rest.put(`/cards/${full.publicId}`, { listPublicId: doing, index: 0 }));
  const archived = await card("Archived", doing, { dueDate: "2026-05-05T05:05:05Z" });
  await ok(rest.put(`/cards/${archived.publicId}`, { isArchived: true, isComplete: true }));
  for (let n = 0; n < 12; n++) await card(`Done ${n}`, done, { index: n % 3 });
  await card("On an archived list", shelf);
  await ok(rest.put(`/lists/${shelf}`, { isArchived: true }));
  await card("On a deleted list", goneList);
  await ok(rest.delete(`/lists/${goneList}`));
  const bin = await card("Deleted", todo);
  await ok(rest.delete(`/cards/${bin.publicId}`));
  await card("Hidden", secret.lists[0].publicId, { description: "restricted" });
  await card("Seen", open.lists[0].publicId);
  await card("Template card", template.lists[1].publicId, {
    checklists: [{ name: "Steps", items: ["1", "2"] }],
  });

  // A board that has been elsewhere and came back: its cards have new numbers, and their old ones
  // as aliases.
  const traveller = await board("Traveller", { lists: ["Bag"] });
  await card("Travelled", traveller.lists[0].publicId);
  const elsewhere = await makeWorkspace(app, admin);
  for (const to of [elsewhere, workspace]) {
    await ok(rest.post(`/boards/${traveller.publicId}/move`, { workspacePublicId: to.publicId }));
  }
  await ok(rest.delete(`${home}/members/${gone.memberPublicId}`));
  return {
    workspace,
    admin,
    helper,
    boards: {
      main: main.publicId,
      secret: secret.publicId,
      open: open.publicId,
      old: old.publicId,
      template: template.publicId,
    },
    cards: { full: full.publicId, plain: plain.publicId, archived: archived.publicId },
    files,
  };
}
