import { onTestFinished } from "vitest";
import { deliverDue } from "../../support/deliveries.ts";
import type { App } from "../../support/app.ts";
import { as, type As } from "../../support/as.ts";
import { makeBoard, makeWorkspace, type Workspace } from "../../support/make.ts";
import { startReceiver, type Receiver } from "../../support/receiver.ts";

/** The settings that allow webhooks to loopback receivers. */
export const local = { WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8" };

/** A webhook and its receiver, which knows the secret. */
export type Hook = { publicId: string; secret: string; path: string; receiver: Receiver };

/** Starts a receiver for the duration of the test. */
export async function receiverFor(app: App): Promise<Receiver> {
  const receiver = await startReceiver({ now: app.deps.clock });
  onTestFinished(() => receiver.close());
  return receiver;
}

/** Adds a webhook with a new receiver, or with the given one. */
export async function hookOf(
  app: App,
  { publicId, admin }: Workspace,
  fields: object = {},
  given?: Receiver,
): Promise<Hook> {
  const receiver = given ?? (await receiverFor(app));
  const root = `/workspaces/${publicId}/webhooks`;
  const { status, body } = await admin.rest.post(root, {
    name: "Hook",
    url: receiver.url,
    events: ["card.*"],
    ...fields,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  receiver.trust(body.secret);
  return {
    publicId: body.publicId,
    secret: body.secret,
    path: `${root}/${body.publicId}`,
    receiver,
  };
}

/** A workspace with a board of two lists, and a webhook for its cards. */
export const hooked = async (app: App, fields: object = {}) =>
  hookedIn(app, await makeWorkspace(app), fields);

/** The same in another workspace of the same account. */
export const hookedBy = async (app: App, { workspace }: { workspace: Workspace }) =>
  hookedIn(app, await makeWorkspace(app, workspace.admin), {});

async function hookedIn(app: App, workspace: Workspace, fields: object) {
  const board = await makeBoard(workspace, { lists: ["One", "Two"] });
  const [one = "", two = ""] = board.lists;
  const hook = await hookOf(app, workspace, fields);
  // A key does not expire when the clock advances by days.
  const apiKey = await workspace.admin.rest.post("/auth/api-keys", {
    password: "a password for tests",
    name: "key",
  });
  const admin = as(app, String(apiKey.body.key));
  const add = (title = "Card", listPublicId = one) =>
    admin.rest.post("/cards", { title, listPublicId });
  return { workspace, admin, board, one, two, hook, add, ...views(admin, hook) };
}

/** Reads a webhook and its deliveries, newest first. */
const views = ({ rest }: As, { path }: Hook) => ({
  health: async () => (await rest.get(path)).body,
  list: async (query = "") => (await rest.get(`${path}/deliveries${query}`)).body.items,
  read: async (id: string) => (await rest.get(`${path}/deliveries/${id}`)).body,
});

/** Delivers what is due; returns what a receiver got. */
export async function sentTo(app: App, receiver: Receiver) {
  const before = receiver.deliveries.length;
  await deliverDue(app.deps);
  return receiver.deliveries.slice(before).map((delivery) => ({
    ...delivery,
    body: JSON.parse(delivery.body),
  }));
}
