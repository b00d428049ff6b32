import { jobIdOf } from "../../src/domain/operator/find-job.ts";
import { verificationToken } from "../../src/domain/auth/verification.ts";
import { fingerprint } from "../../src/kernel/access/credentials.ts";
import { publicId } from "../../src/platform/db/public-id.ts";
import { notificationContent, putImport } from "../kernel/access/fixtures.ts";
import { insertNotification, insertPasswordReset } from "../kernel/access/rows.ts";
import { appRequest, connectApp, startDevice, type Connected } from "../domain/oauth/app.ts";
import { upload } from "../domain/attachments/files.ts";
import type { App } from "../support/app.ts";
import { insertJob } from "../support/operator.ts";
import { giveIdentity } from "../support/state.ts";
import { join, makeBoard, makeCard, makeUser, makeWorkspace, type User } from "../support/make.ts";
import { exampleOf } from "./examples.ts";

type Any = any;

/** Real resources and secrets for the ids in the examples. */
export type ExampleResources = {
  user: User;
  ids: Record<string, string>;
  /** The ids in paths of operations on service accounts. */
  serviceAccount: Record<string, string>;
  secrets: Record<string, unknown>;
  /** An app that the user has connected, and the requests of another one and of a program. */
  connection: Connected & { request: string; userCode: string };
};

/** Creates one resource of each kind. */
export async function createExampleResources(app: App): Promise<ExampleResources> {
  const { clock } = app.deps;
  const user = await makeUser(app);
  const { rest } = user;
  const { publicId: userPublicId, email } = (await rest.get("/users/me")).body;
  const workspace = await makeWorkspace(app, user);
  const home = `/workspaces/${workspace.publicId}`;
  const other = await join(app, workspace, "admin");
  const board = await makeBoard(workspace);
  const { body: open } = await rest.put(`/boards/${board.publicId}`, { visibility: "public" });
  const card = await makeCard(user, board.lists[0] ?? "");
  const { body: shown } = await rest.get(`/cards/${card}`);
  const { body: checklist } = await rest.post(`/cards/${card}/checklists`, {
    name: "Checklist",
    items: ["Item"],
  });
  const { body: view } = await rest.post(`/workspaces/${workspace.publicId}/views`, {
    name: "Due this week",
    groupBy: { field: "label" },
  });
  const { body: field } = await rest.post(`/boards/${board.publicId}/fields`, {
    name: "Size",
    type: "select",
    options: [{ name: "Large" }],
  });
  const { body: comment } = await rest.post(`/cards/${card}/comments`, { comment: "A comment" });
  const child = await makeCard(user, board.lists[0] ?? "");
  const { body: related } = await user.rest.post(`/cards/${card}/relations`, {
    kind: "parent",
    relatedCardPublicId: child,
  });
  const { body: attachment } = await upload(app, user, card, "bytes");
  const { body: webhook } = await rest.post(`${home}/webhooks`, {
    ...exampleOf("webhook.create"),
    workspacePublicId: undefined,
    boardPublicId: undefined,
  });
  await rest.put(`/cards/${card}`, { title: "Notify" });
  const { body: sent } = await rest.get(`${home}/webhooks/${webhook.publicId}/deliveries`);
  const { body: role } = await rest.post(`${home}/roles`, {
    name: "A role of ours",
    hierarchyLevel: 5,
    permissions: [],
  });
  const stranger = await makeWorkspace(app);
  const { body: invite } = await stranger.admin.rest.post(
    `/workspaces/${stranger.publicId}/invites`,
  );
  const password = "a password for tests";
  const { body: login } = await rest.post("/auth/login", { email, password });
  const { body: sessions } = await rest.get("/auth/sessions");
  const { body: key } = await rest.post("/auth/api-keys", {
    password: "a password for tests",
    name: "Key",
  });
  const relatedCard = await makeCard(user, board.lists[0] ?? "");
  const { body: bot } = await rest.post(`${home}/service-accounts`, { name: "Deploy bot" });
  const { body: botKey } = await rest.post(`${home}/service-accounts/${bot.publicId}/keys`, {
    name: "Deploys",
  });
  const connection = {
    ...(await connectApp(app, user)),
    request: await appRequest(app),
    userCode: (await startDevice(app)).userCode,
  };
  await giveIdentity(app, userPublicId);
  const { clientId: forbidden } = await connectApp(app, user);
  await rest.put(`${home}/apps/${forbidden}/forbidden`);
  const made = await inDatabase(app, userPublicId, workspace.publicId);
  return {
    user,
    ids: {
      workspace: workspace.publicId,
      board: board.publicId,
      list: board.lists[0] ?? "",
      targetList: board.lists[1] ?? "",
      label: board.labels[0] ?? "",
      card,
      field: field.publicId,
      view: view.publicId,
      fieldOption: field.options[0].publicId,
      checklist: checklist.publicId,
      checklistItem: checklist.items[0].publicId,
      comment: comment.publicId,
      relation: related.relations[0].publicId,
      attachment: attachment.publicId,
      webhook: webhook.publicId,
      delivery: sent.items[0].publicId,
      member: other.memberPublicId,
      role: role.publicId,
      heir: workspace.roles.guest,
      session: sessions.find((one: Any) => !one.isCurrent).publicId,
      apiKey: key.publicId,
      app: forbidden,
      identity: userPublicId,
      user: userPublicId,
      notification: made.notification,
      import: made.imported,
    },
    connection,
    serviceAccount: { memberPublicId: bot.publicId, apiKeyPublicId: botKey.publicId },
    secrets: {
      inviteCode: invite.inviteCode,
      refreshToken: login.refreshToken,
      relatedCardPublicId: relatedCard,
      slug: `slug-${card}`,
      workspaceSlug: workspace.slug,
      boardSlug: open.slug,
      cardNumber: shown.cardNumber,
      currentPassword: password,
      token: made.token,
      jobId: jobIdOf(app.deps.seal, await insertJob(app, "queued")),
      verification: verificationToken(app.deps, { publicId: userPublicId, email }, clock()),
    },
  };
}

/** Inserts what no call creates: a notification and a reset token. */
async function inDatabase(app: App, userPublicId: string, workspacePublicId: string) {
  const notification = publicId();
  const token = publicId();
  const { id: workspaceId } = await app.db.reader.workspace.findUniqueOrThrow({
    where: { publicId: workspacePublicId },
  });
  const { id: userId } = await app.db.reader.user.findUniqueOrThrow({
    where: { publicId: userPublicId },
  });
  const content = { ...notificationContent, publicId: notification, userId, workspaceId };
  await insertNotification(app, content);
  const expiresAt = new Date(app.deps.clock().getTime() + 60_000);
  await insertPasswordReset(app, userId, fingerprint(token), expiresAt);
  return { notification, token, imported: await putImport(app, workspaceId, userId) };
}
