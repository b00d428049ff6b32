import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { StoredUserEvent } from "../../../src/contract/user-events.ts";
import { moving } from "../../kernel/events/open-move.ts";
import { useApp } from "../../support/app.ts";
import { runDue } from "../../support/jobs.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { openStream } from "../../support/stream.ts";

// No poll runs in this file: without a notification the streams send nothing.
beforeAll(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterAll(() => void vi.useRealTimers());
const app = useApp({ isolated: true });

async function scene() {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const member = await join(app(), workspace, "member");
  const board = await makeBoard(workspace);
  const [list = ""] = board.lists;
  const card = await makeCard(admin, list);
  const assign = () => admin.rest.put(`/cards/${card}/members/${member.memberPublicId}`);
  const favourite = (is: boolean) =>
    member.rest.put(`/boards/${board.publicId}/favourite`, { favourite: is });
  const { token } = member;
  const stream = await openStream(app(), "/users/me/events/stream", { token });
  /** Reads up to an event of a type. */
  const arrives = async (type: string) => {
    for (;;) {
      const item = await stream.next();
      if (item === undefined) throw new Error(`The stream ended without ${type}.`);
      if (item.event === type) return item.data.data;
    }
  };
  await stream.next();
  const views = `/workspaces/${workspace.publicId}/views`;
  const calls = { assign, favourite, arrives };
  return { workspace, admin, member, board, list, card, views, stream, ...calls };
}

type Scene = Awaited<ReturnType<typeof scene>>;

const restrict = ({ admin, board }: Scene, visibility: string) =>
  admin.rest.put(`/boards/${board.publicId}`, { visibility });

/** A write for each type of a user's events, one after the other. */
const writes: Record<StoredUserEvent["type"], (on: Scene) => Promise<unknown>> = {
  "notification.created": ({ assign }) => assign(),
  "notification.read": async ({ member }) => {
    const { body } = await member.rest.get("/users/me/notifications");
    return member.rest.put(`/users/me/notifications/${body.items[0].publicId}`, { read: true });
  },
  "notification.all_read": async ({ member }) => {
    const { body } = await member.rest.get("/users/me/notifications");
    await member.rest.put(`/users/me/notifications/${body.items[0].publicId}`, { read: false });
    return member.rest.post("/users/me/notifications/read", {});
  },
  "favourite.added": ({ favourite }) => favourite(true),
  "favourite.removed": ({ favourite }) => favourite(false),
  "private_view.created": ({ member, views }) => member.rest.post(views, { name: "Mine" }),
  "private_view.updated": async ({ member, views }) => {
    const { body } = await member.rest.get(views);
    return member.rest.put(`/views/${body[0].publicId}`, { name: "My own" });
  },
  "private_view.deleted": async ({ member, views }) => {
    const { body } = await member.rest.get(views);
    return member.rest.delete(`/views/${body[0].publicId}`);
  },
  "private_view.restored": async ({ member, views }) => {
    const { body } = await member.rest.get(`${views}?deleted=true`);
    return member.rest.post(`/views/${body[0].publicId}/restore`);
  },
  "invitation.received": async ({ member: { email } }) => {
    const { admin, publicId } = await makeWorkspace(app());
    return admin.rest.post(`/workspaces/${publicId}/members/invite`, { email, role: "member" });
  },
  "workspace.joined": async ({ member }) => {
    const { admin, publicId } = await makeWorkspace(app());
    const { body } = await admin.rest.post(`/workspaces/${publicId}/invites`, { role: "member" });
    return member.rest.post("/invites/accept", { inviteCode: body.inviteCode });
  },
  "access.lost": (on) => restrict(on, "restricted"),
  "access.gained": (on) => restrict(on, "private"),
  "workspace.left": ({ admin, workspace, member }) =>
    admin.rest.delete(`/workspaces/${workspace.publicId}/members/${member.memberPublicId}`),
};

test("each event of a user arrives before the poll", async () => {
  const on = await scene();
  for (const [type, write] of Object.entries(writes)) {
    await write(on);
    expect(await on.arrives(type)).toBeDefined();
  }
  await on.stream.close();
});

test("events of a batch arrive before the poll, in the order of its operations", async () => {
  const { workspace, board, member, stream, arrives } = await scene();
  const favourite = (is: boolean) => ({
    operation: "board.favourite",
    input: { boardPublicId: board.publicId, favourite: is },
  });
  const { status } = await member.rest.post(`/workspaces/${workspace.publicId}/batch`, {
    operations: [favourite(true), favourite(false)],
  });
  expect(status).toBe(200);
  expect(await arrives("favourite.added")).toEqual({ boardPublicId: board.publicId });
  expect(await arrives("favourite.removed")).toEqual({ boardPublicId: board.publicId });
  await stream.close();
});

test("a notification of a job arrives before the poll", async () => {
  const { admin, card, assign, stream, arrives } = await scene();
  const dueDate = new Date(app().deps.clock().getTime() + 7_200_000).toISOString();
  await admin.rest.put(`/cards/${card}`, { dueDate });
  await assign();
  await arrives("notification.created");
  app().advance(6 * 60_000);
  await runDue(app().deps);
  const { notification } = await arrives("notification.created");
  expect(notification.type).toBe("due_soon");
  await stream.close();
});

test("an event that an older transaction blocks arrives after the end of that, before the poll", async () => {
  const { board, card, list, favourite, stream, arrives } = await scene();
  const early = await moving(app(), card, list);
  await favourite(true);
  // Other calls run while the stream waits.
  await favourite(false);
  await early.emit();
  await early.commit();
  expect(await arrives("favourite.added")).toEqual({ boardPublicId: board.publicId });
  expect(await arrives("favourite.removed")).toEqual({ boardPublicId: board.publicId });
  await stream.close();
});
