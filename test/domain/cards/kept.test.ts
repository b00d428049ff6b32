import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { expectKept } from "../../support/kept.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp({ isolated: true });

test("calls at the same time count each other on the row of their card", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const { lists, labels } = await makeBoard(workspace, { labels: 3 });
  const card = await makeCard(admin, lists[0] ?? "");
  const post = (path: string, body: object) => admin.rest.post(`/cards/${card}${path}`, body);
  const checklist = (await post("/checklists", { name: "Steps", items: ["One"] })).body.publicId;
  const calls = Array.from({ length: 8 }, (_, nth) => [
    post("/comments", { comment: `Comment ${nth}` }),
    admin.rest.put(`/cards/${card}/labels/${labels[nth % 3]}`, {}),
    admin.rest.post(`/checklists/${checklist}/items`, { title: `Item ${nth}` }),
    post("/attachments/link", { url: `https://example.com/${nth}` }),
    admin.rest.put(`/cards/${card}`, { index: 0, title: `Title ${nth}` }),
  ]).flat();
  const answers = await Promise.all(calls);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await expectKept(app());
  const { body } = await admin.rest.get(`/lists/${lists[0]}/cards`);
  expect(body.items[0]).toMatchObject({
    commentCount: 8,
    attachmentCount: 8,
    checklistItems: { total: 9, completed: 0 },
  });
});

test("what is on cards ends with members, labels and fields, and comes back from the trash", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const ben = await join(app(), workspace, "member");
  const board = await makeBoard(workspace, { labels: 1 });
  const [list = ""] = board.lists;
  const card = await makeCard(admin, list);
  const ok = async (answer: Promise<{ status: number; body: any }>) => {
    const { status, body } = await answer;
    expect(status).toBe(200);
    await expectKept(app());
    return body;
  };
  const { rest } = admin;
  await ok(rest.put(`/cards/${card}/members/${ben.memberPublicId}`, {}));
  await ok(rest.put(`/cards/${card}/labels/${board.labels[0]}`, {}));
  const fields = `/boards/${board.publicId}/fields`;
  const field = await ok(rest.post(fields, { name: "Owner", type: "member", isShownOnCard: true }));
  const values = { [field.publicId]: ben.memberPublicId };
  await ok(rest.put(`/cards/${card}`, { fields: values }));
  await ok(rest.delete(`/lists/${list}`));
  await ok(rest.post(`/lists/${list}/restore`, {}));
  await ok(rest.delete(`/labels/${board.labels[0]}`));
  await ok(rest.delete(`/workspaces/${workspace.publicId}/members/${ben.memberPublicId}`));
  const [row] = await app().db.reader.card.findMany({ where: { publicId: card } });
  expect(row).toMatchObject({ hasLabels: true, hasMembers: false, hasFieldValues: false });
});
