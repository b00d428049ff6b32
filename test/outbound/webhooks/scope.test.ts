import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeUser, makeWorkspace } from "../../support/make.ts";
import { hooked, hookOf, local, receiverFor, sentTo } from "./hook.ts";

const app = useApp({ env: local });

const types = (sent: Awaited<ReturnType<typeof sentTo>>) =>
  sent.map(({ body }) => body.type).toSorted();

test("a webhook receives the events of its patterns: a type, a resource, or all", async () => {
  const { workspace, admin, board, add } = await hooked(app());
  const exact = await hookOf(app(), workspace, { events: ["card.updated"] });
  const kinds = await hookOf(app(), workspace, {
    events: ["list.*", "checklist_item.*", "label.created"],
  });
  const all = await hookOf(app(), workspace, { events: ["*"] });
  const { body: card } = await add();
  await admin.rest.put(`/cards/${card.publicId}`, { title: "New" });
  await admin.rest.post("/lists", { name: "List", boardPublicId: board.publicId });
  await admin.rest.post(`/cards/${card.publicId}/checklists`, { name: "L" });
  await admin.rest.post("/labels", {
    name: "L",
    colourCode: "#123456",
    boardPublicId: board.publicId,
  });
  const everything = types(await sentTo(app(), all.receiver));
  expect(everything).toEqual([
    "card.created",
    "card.updated",
    "checklist.created",
    "label.created",
    "list.created",
  ]);
  expect(types(await sentTo(app(), exact.receiver))).toEqual([]);
  expect(exact.receiver.deliveries.map(({ body }) => JSON.parse(body).type)).toEqual([
    "card.updated",
  ]);
  expect(kinds.receiver.deliveries.map(({ body }) => JSON.parse(body).type).toSorted()).toEqual([
    "label.created",
    "list.created",
  ]);
});

test("a webhook of one board receives only its events and those of cards that leave it", async () => {
  const { workspace, admin, board, one, add } = await hooked(app());
  const other = await makeBoard(workspace);
  const there = await hookOf(app(), workspace, { events: ["*"], boardPublicId: other.publicId });
  const here = await hookOf(app(), workspace, { events: ["*"], boardPublicId: board.publicId });
  await admin.rest.put(`/workspaces/${workspace.publicId}`, { description: "New" });
  const { body: card } = await add();
  await admin.rest.put(`/boards/${other.publicId}`, { description: "New" });
  expect(types(await sentTo(app(), there.receiver))).toEqual(["board.updated"]);
  expect(here.receiver.deliveries).toHaveLength(1);
  await admin.rest.put(`/cards/${card.publicId}`, { listPublicId: other.lists[0] });
  const [moved] = await sentTo(app(), here.receiver);
  expect(moved?.body).toMatchObject({
    type: "card.moved",
    data: { from: { listPublicId: one }, to: { boardPublicId: other.publicId } },
  });
  expect(there.receiver.deliveries.filter(({ id }) => id === moved?.id)).toHaveLength(1);
  await admin.rest.put(`/cards/${card.publicId}`, { title: "Away" });
  expect(await sentTo(app(), here.receiver)).toEqual([]);
  await admin.rest.delete(`/boards/${other.publicId}`);
  expect(types(await sentTo(app(), there.receiver))).toEqual(["board.deleted"]);
});

test("a moved board is an event in both workspaces, and later events are in the new one", async () => {
  const { workspace, admin, board, one } = await hooked(app());
  const target = await makeWorkspace(app(), workspace.admin);
  const left = await hookOf(app(), workspace, { events: ["*"] });
  const entered = await hookOf(app(), target, { events: ["*"] });
  const { status } = await workspace.admin.rest.post(`/boards/${board.publicId}/move`, {
    workspacePublicId: target.publicId,
  });
  expect(status).toBe(200);
  await admin.rest.post("/cards", { title: "There", listPublicId: one });
  expect(types(await sentTo(app(), entered.receiver))).toEqual(["board.moved", "card.created"]);
  expect(left.receiver.deliveries.map(({ body }) => JSON.parse(body))).toMatchObject([
    {
      type: "board.moved",
      data: {
        workspacePublicId: workspace.publicId,
        from: { workspacePublicId: workspace.publicId },
        to: { workspacePublicId: target.publicId },
      },
    },
  ]);
});

test("an inactive webhook gets no deliveries", async () => {
  const { admin, hook, add, list } = await hooked(app());
  await admin.rest.put(hook.path, { active: false });
  await add();
  await admin.rest.put(hook.path, { active: true });
  expect(await sentTo(app(), hook.receiver)).toEqual([]);
  expect(await list()).toEqual([]);
});

test("a webhook receives events of restricted boards, also after its creator has left the workspace", async () => {
  const { workspace, board, hook, add } = await hooked(app());
  const heir = await join(app(), workspace, "admin");
  await heir.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  await add("Restricted");
  expect(await sentTo(app(), hook.receiver)).toHaveLength(1);
  expect(
    (await workspace.admin.rest.post(`/workspaces/${workspace.publicId}/members/leave`)).status,
  ).toBe(200);
  const [list = ""] = board.lists;
  expect((await heir.rest.post("/cards", { title: "Later", listPublicId: list })).status).toBe(200);
  expect(await sentTo(app(), hook.receiver)).toHaveLength(1);
});

test("the deletion of an account is an event in each of its workspaces", async () => {
  const { workspace, hook } = await hooked(app(), { events: ["member.*"] });
  const other = await makeWorkspace(app());
  const there = await hookOf(app(), other, { events: ["*"] });
  const user = await makeUser(app());
  for (const { admin, publicId } of [workspace, other]) {
    const { body } = await admin.rest.post(`/workspaces/${publicId}/invites`);
    await user.rest.post("/invites/accept", { inviteCode: body.inviteCode });
  }
  await user.rest.delete("/users/me", { password: "a password for tests" });
  expect(types(await sentTo(app(), hook.receiver))).toEqual(["member.joined", "member.removed"]);
  const bodies = there.receiver.deliveries.map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ type }) => type).toSorted()).toEqual(["member.joined", "member.removed"]);
  expect(JSON.stringify(bodies)).not.toContain(user.email);
});

test("webhooks receive events about other webhooks without their URLs, and no event about themselves", async () => {
  const { workspace, admin, hook } = await hooked(app(), { events: ["*"] });
  const receiver = await receiverFor(app());
  const { path, publicId } = await hookOf(
    app(),
    workspace,
    { events: ["webhook.*"], url: `${receiver.url}a-secret-path` },
    receiver,
  );
  await admin.rest.put(path, { url: `${receiver.url}another-path`, name: "New" });
  await workspace.admin.rest.post(`${path}/rotate-secret`);
  await admin.rest.delete(path);
  const sent = await sentTo(app(), hook.receiver);
  expect(types(sent)).toEqual([
    "webhook.created",
    "webhook.deleted",
    "webhook.secret_rotated",
    "webhook.updated",
  ]);
  for (const { body } of sent) expect(body.data.webhook).toMatchObject({ publicId });
  expect(JSON.stringify(sent.map(({ body }) => body))).not.toMatch(
    /a-secret-path|another-path|whsec_/,
  );
  expect(receiver.deliveries).toEqual([]);
});
