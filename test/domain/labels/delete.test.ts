import { expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

test("label.list sorts by name; label.get reads one; label.delete removes it from all cards with one event", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const { publicId, lists, labels } = await makeBoard(workspace, { labels: 2 });
  const card = await makeCard(admin, lists[0] ?? "");
  for (const label of labels) await admin.rest.put(`/cards/${card}/labels/${label}`);
  await admin.rest.put(`/labels/${labels[0]}`, { name: "Z", colourCode: "#aabbcc" });
  const { body } = await admin.rest.get(`/boards/${publicId}/labels`);
  expect(body.map((label: { publicId: string }) => label.publicId)).toEqual([labels[1], labels[0]]);
  expect(await admin.trpc.label.list.query({ boardPublicId: publicId })).toEqual(body);
  const one = await admin.rest.get(`/labels/${labels[0]}`);
  expect(one.body).toEqual({
    publicId: labels[0],
    name: "Z",
    colourCode: "#aabbcc",
    boardPublicId: publicId,
    version: 2,
  });
  const guest = await join(app(), workspace, "guest");
  expect((await guest.rest.get(`/labels/${labels[0]}`)).status).toBe(200);
  expect((await guest.rest.delete(`/labels/${labels[0]}`)).status).toBe(403);

  expect((await admin.rest.delete(`/labels/${labels[0]}`)).body).toEqual({ success: true });
  expect((await admin.rest.get(`/labels/${labels[0]}`)).status).toBe(404);
  expect((await admin.rest.delete(`/labels/${labels[0]}`)).status).toBe(404);
  expect((await admin.rest.get(`/cards/${card}`)).body.labels).toHaveLength(1);
  expect((await admin.rest.put(`/cards/${card}/labels/${labels[0]}`)).status).toBe(404);
  expect(await eventsIn(app(), workspace.publicId, "label.deleted")).toMatchObject([
    { data: { label: { name: "Z" }, board: { publicId } } },
  ]);
});
