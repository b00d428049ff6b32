import type { ResourceKind } from "../../../src/contract/vocabulary/resource-kinds.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { insertRows } from "../../../src/platform/db/insert-rows.ts";
import { publicId as newId } from "../../../src/platform/db/public-id.ts";
import type { App } from "../../support/app.ts";
import { upload } from "../../domain/attachments/files.ts";
import { as } from "../../support/as.ts";
import { makeWorkspace, type User, type Workspace } from "../../support/make.ts";
import { addTotp } from "../../support/second-factor.ts";
import { giveIdentity } from "../../support/state.ts";
import { insertImport, insertMemberOf, insertNotification } from "./rows.ts";

/** What has a public id that an input may name. */
export type Kind =
  | ResourceKind
  | "relation"
  | "session"
  | "apiKey"
  | "app"
  | "identity"
  | "secondFactor"
  | "notification"
  | "delivery"
  | "user";

/** A workspace with one of everything. Every text in it holds `word`. */
export type Fixtures = {
  app: App;
  id: bigint;
  workspace: Workspace;
  admin: User & { id: bigint };
  ids: Record<Kind, string>;
  /** A second board with a list, a card and a label. */
  other: Record<"board" | "list" | "card" | "label", string>;
  inviteCode: string;
  apiKey: string;
  word: string;
};

/** The content of the fixtures' notification. */
export const notificationContent = { type: "invited", data: { event: null, actor: null } };

let count = 0;

/** Signs up a user whose name and address contain a word. */
export async function makeUser(app: App, word: string): Promise<User & { id: bigint }> {
  const email = `${word}-${++count}@example.com`.toLowerCase();
  const { body } = await app.call({
    method: "POST",
    path: "/auth/register",
    body: { email, password: "a password for tests", name: `${word} ${count}` },
  });
  const { id } = await app.db.reader.user.findUniqueOrThrow({ where: { email } });
  const { accessToken: token, refreshToken, user } = body;
  return { ...as(app, token), token, refreshToken, email, publicId: user.publicId, id };
}

/** Makes a workspace that has one of everything; its webhook points at `url`. */
export async function makeFixtures(app: App, url: string, word = "Home"): Promise<Fixtures> {
  const admin = await makeUser(app, word);
  const workspace = await makeWorkspace(app, admin);
  const { rest } = admin;
  const post = async (path: string, body: object = {}) => {
    const reply = await rest.post(path, body);
    if (reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const home = `/workspaces/${workspace.publicId}`;
  await rest.put(home, { name: `${word} Ltd`, description: word });
  const boardWith = async (name: string) => {
    const { publicId, lists, labels } = await post(`${home}/boards`, {
      name: `${word} ${name}`,
      description: word,
      lists: [`${word} list`],
      labels: [{ name: `${word} label`, colourCode: "#1f2e3d" }],
    });
    const list: string = lists[0].publicId;
    const label: string = labels[0].publicId;
    const card = await post("/cards", {
      title: `${word} card`,
      description: word,
      listPublicId: list,
      labelPublicIds: [label],
    });
    return { board: String(publicId), list, label, card: String(card.publicId) };
  };
  const first = await boardWith("board");
  const other = await boardWith("other board");
  const field = await post(`/boards/${first.board}/fields`, {
    name: `${word} field`,
    type: "select",
    options: [{ name: `${word} option` }],
  });
  const view = await post(`${home}/views`, {
    name: `${word} view`,
    scope: "board",
    boardPublicId: first.board,
    filter: { field: "text", op: "contains", value: word },
    groupBy: { field: "label" },
  });
  const checklist = await post(`/cards/${first.card}/checklists`, {
    name: `${word} checklist`,
    items: [`${word} item`],
  });
  const comment = await post(`/cards/${first.card}/comments`, { comment: `${word} comment` });
  const said = { filename: `${word}.txt` };
  const { body: attachment } = await upload(app, admin, first.card, `${word} bytes`, said);
  const related = await post(`/cards/${first.card}/relations`, {
    kind: "parent",
    relatedCardPublicId: other.card,
  });
  const webhook = await post(`${home}/webhooks`, {
    name: `${word} hook`,
    url: `${url}${word}`,
    events: ["*"],
  });
  await rest.put(`/cards/${first.card}`, { title: `${word} card again` });
  const invite = await post(`${home}/invites`);
  const key = await post("/auth/api-keys", {
    name: `${word} key`,
    password: "a password for tests",
  });
  const me = await rest.get(home);
  const sessions = await rest.get("/auth/sessions");
  const { id } = await app.db.reader.workspace.findUniqueOrThrow({
    where: { publicId: workspace.publicId },
  });
  const notification = newId();
  const shown = { publicId: notification, userId: admin.id, workspaceId: id };
  await insertNotification(app, { ...notificationContent, ...shown });
  const delivery = await app.db.reader.delivery.findFirst({ where: { workspaceId: id } });
  return {
    app,
    id,
    workspace,
    admin,
    ids: {
      ...first,
      workspace: workspace.publicId,
      field: field.publicId,
      view: view.publicId,
      checklist: checklist.publicId,
      checklistItem: checklist.items[0].publicId,
      comment: comment.publicId,
      attachment: attachment.publicId,
      relation: related.relations[0].publicId,
      notification,
      import: await putImport(app, id, admin.id),
      delivery: delivery?.publicId ?? "",
      member: me.body.memberPublicId,
      role: workspace.roles.guest,
      webhook: webhook.publicId,
      session: sessions.body[0].publicId,
      apiKey: key.publicId,
      app: await putApp(app, admin.id, `${word} app`),
      identity: await putIdentity(app, admin.publicId),
      secondFactor: await putSecondFactor(app),
      user: admin.publicId,
    },
    other,
    inviteCode: invite.inviteCode,
    apiKey: key.key,
    word,
  };
}

/** Inserts an app that a user has connected; returns its public id. */
export async function putApp(app: App, userId: bigint, name: string): Promise<string> {
  const id = newId();
  await app.db.write(sql`WITH made AS (
      INSERT INTO apps ("publicId", "clientId", name) VALUES (${id}, ${id}, ${name}) RETURNING id)
    INSERT INTO api_keys ("publicId", "userId", name, "keyHash", prefix, "appId", resource,
      "expiresAt")
    SELECT ${newId()}, ${userId}, ${name}, ${id}, '', made.id, 'http://127.0.0.1:3000/mcp',
      '2099-01-01' FROM made`);
  return id;
}

/** Adds a second factor to an account of its own; returns its public id. */
async function putSecondFactor(app: App): Promise<string> {
  const { factor } = await addTotp(app, await makeUser(app, "Secured"));
  return factor.publicId;
}

/** Links an account to a provider of sign-in; returns the public id of the identity. */
async function putIdentity(app: App, user: string): Promise<string> {
  await giveIdentity(app, user);
  // The fixture gives it the id of its account.
  return user;
}

/** Inserts an import of a user; returns its public id. */
export async function putImport(app: App, workspaceId: bigint, userId: bigint): Promise<string> {
  const publicId = newId();
  await insertImport(app, publicId, workspaceId, userId);
  return publicId;
}

/**
 * Inserts a person of the source of imports, assigned to a card; returns their id at the source.
 */
export async function putPerson(app: App, { id, ids }: Fixtures): Promise<string> {
  const person = { workspaceId: id, source: "github", sourceId: newId() };
  const { db } = app;
  await insertRows(db.write, "imported_people", [{ ...person, name: "Octocat" }]);
  const { id: cardId } = await db.reader.card.findUniqueOrThrow({ where: { publicId: ids.card } });
  await insertRows(db.write, "imported_assignments", [{ ...person, cardId }]);
  return person.sourceId;
}

/** Inserts a member of a workspace; returns the member's public id. */
export async function putMember(
  { app, id }: Pick<Fixtures, "app" | "id">,
  user: { id: bigint; email: string },
  role: string,
  status: "active" | "removed" | "invited" = "active",
): Promise<{ id: bigint; publicId: string }> {
  const publicId = `member${String(++count).padStart(8, "0")}`;
  const userId = status === "invited" ? null : user.id;
  const member = { publicId, workspaceId: id, userId, email: user.email, role, status };
  return { id: await insertMemberOf(app, member), publicId };
}
