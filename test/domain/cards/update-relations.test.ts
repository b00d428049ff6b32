import { expect, test } from "vitest";
import { setOverride } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { typesOn } from "./types-on.ts";

const app = useApp();

const start = async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace, { labels: 3 });
  const card = await makeCard(workspace.admin, board.lists[0] ?? "");
  const people = [await join(app(), workspace, "member"), await join(app(), workspace, "member")];
  const members = people.map(({ memberPublicId }) => memberPublicId);
  const { rest } = workspace.admin;
  const shown = async () => {
    const { body } = await rest.get(`/cards/${card}`);
    const ids = (rows: { publicId: string }[]) => rows.map(({ publicId }) => publicId).toSorted();
    return { labels: ids(body.labels), members: ids(body.members), version: body.version };
  };
  return { workspace, board, card, people, members, rest, shown, path: `/cards/${card}` };
};

test("card.update takes whole sets of labels and members, and each change has an event", async () => {
  const { board, card, members, path, rest, shown } = await start();
  const [one = "", two = "", three = ""] = board.labels;
  const first = await rest.put(path, { labelPublicIds: [one, two], memberPublicIds: members });
  expect(first.status).toBe(200);
  expect(Object.keys(first.body)).toEqual(["publicId", "title", "description", "dueDate"]);
  expect(await shown()).toMatchObject({
    labels: [one, two].toSorted(),
    members: members.toSorted(),
  });
  await rest.put(path, { title: "Other", labelPublicIds: [two, three], memberPublicIds: [] });
  expect(await shown()).toEqual({ labels: [two, three].toSorted(), members: [], version: 10 });
  expect(await typesOn(app(), card)).toEqual([
    "card.created",
    "card.label_added",
    "card.label_added",
    "card.member_added",
    "card.member_added",
    "card.updated",
    "card.label_removed",
    "card.label_added",
    "card.member_removed",
    "card.member_removed",
  ]);
});

test("card.update adds and removes single labels and members, and repeated it changes nothing", async () => {
  const { board, card, members, path, rest, shown } = await start();
  const [one = "", two = ""] = board.labels;
  const [member = ""] = members;
  await rest.put(path, { labelPublicIds: [one] });
  const change = {
    addLabelPublicIds: [two],
    removeLabelPublicIds: [one],
    addMemberPublicIds: [member],
  };
  await rest.put(path, change);
  const after = await shown();
  expect(after).toMatchObject({ labels: [two], members: [member] });
  const { length } = await typesOn(app(), card);
  expect((await rest.put(path, change)).status).toBe(200);
  expect(await shown()).toEqual(after);
  expect(await typesOn(app(), card)).toHaveLength(length);
  await rest.put(path, { removeMemberPublicIds: members });
  expect(await shown()).toMatchObject({ members: [] });
});

test("card.update refuses unclear sets, and foreign labels and members", async () => {
  const { workspace, board, path, rest, shown } = await start();
  const [one] = board.labels;
  const [foreign] = (await makeBoard(workspace)).labels;
  const before = await shown();
  for (const [body, status] of [
    [{ labelPublicIds: [one], addLabelPublicIds: [one] }, 400],
    [{ addLabelPublicIds: [one], removeLabelPublicIds: [one] }, 400],
    [{ title: "Other", labelPublicIds: [foreign] }, 404],
    [{ memberPublicIds: ["nowhere00000"] }, 404],
  ] as const) {
    expect((await rest.put(path, body)).status, JSON.stringify(body)).toBe(status);
  }
  expect(await shown()).toEqual(before);
});

test("card.update moves a card to another board and gives it labels of that board", async () => {
  const { workspace, path, rest, shown } = await start();
  const other = await makeBoard(workspace, { labels: 2 });
  const [listPublicId] = other.lists;
  const labelPublicIds = other.labels.slice(1);
  expect((await rest.put(path, { listPublicId, labelPublicIds })).status).toBe(200);
  expect(await shown()).toMatchObject({ labels: labelPublicIds });
});

test("labels and members need card:edit, also from the creator", async () => {
  const { board, people } = await start();
  const [member] = people;
  if (member === undefined) throw new Error("There is no member.");
  const card = await makeCard(member, board.lists[0] ?? "");
  await setOverride(app(), member.memberPublicId, "card:edit", false);
  expect((await member.rest.put(`/cards/${card}`, { title: "Mine" })).status).toBe(200);
  const labelled = await member.rest.put(`/cards/${card}`, { labelPublicIds: board.labels });
  expect(labelled.status).toBe(403);
});
