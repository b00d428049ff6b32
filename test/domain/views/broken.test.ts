import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeScene } from "./scene.ts";

const app = useApp();

/** Two cards, and something of each kind that views name, with a way to take it away. */
async function scene() {
  const all = await makeScene(app());
  const { rest, one, two, card, member, workspace } = all;
  const { body: size } = await rest.post(`/boards/${one.publicId}/fields`, {
    name: "Size",
    type: "select",
    options: [{ name: "S" }, { name: "M" }],
  });
  const field = async (type: string) =>
    (await rest.post(`/boards/${one.publicId}/fields`, { name: type, type })).body.publicId;
  const [effort, reviewer] = [await field("number"), await field("member")];
  const [small, medium] = size.options.map(({ publicId }: { publicId: string }) => publicId);
  const label = one.labels[0] ?? "";
  const list = one.lists[0] ?? "";
  await card(list, "Full", {
    labelPublicIds: [label],
    memberPublicIds: [member.memberPublicId],
    fields: { [size.publicId]: small, [effort]: 3, [reviewer]: member.memberPublicId },
  });
  await card(two.lists[0], "Plain");
  const shared = { one: one.publicId, member: member.memberPublicId };
  const removeMember = () =>
    rest.delete(`/workspaces/${workspace.publicId}/members/${member.memberPublicId}`);
  return {
    ...all,
    remove: {
      field: () => rest.delete(`/fields/${size.publicId}`),
      number: () => rest.delete(`/fields/${effort}`),
      option: () =>
        rest.put(`/fields/${size.publicId}`, { options: [{ publicId: medium, name: "M" }] }),
      label: () => rest.delete(`/labels/${label}`),
      list: () => rest.delete(`/lists/${list}`),
      member: removeMember,
      board: () => rest.delete(`/boards/${one.publicId}`),
      hidden: () => rest.put(`/boards/${one.publicId}`, { visibility: "restricted" }),
    },
    ids: { size: size.publicId, small, medium, effort, reviewer, label, list, ...shared },
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;
const leaf = (field: string, value: unknown, op = "is") => ({ field, op, value });

test.each<[string, keyof Scene["remove"], (ids: Scene["ids"]) => object]>([
  ["a field", "field", ({ size, small }) => leaf(`fields.${size}`, small)],
  [
    "a field, if it is to be empty",
    "field",
    ({ size }) => ({ field: `fields.${size}`, op: "isEmpty" }),
  ],
  ["an option", "option", ({ size, small }) => leaf(`fields.${size}`, [small], "isAnyOf")],
  [
    "an option that is not to be",
    "option",
    ({ size, small }) => leaf(`fields.${size}`, small, "isNot"),
  ],
  ["a label", "label", ({ label }) => leaf("labels", label)],
  ["a label that is not to be", "label", ({ label }) => leaf("labels", [label], "isNoneOf")],
  ["a list", "list", ({ list }) => leaf("listPublicId", list)],
  ["a member", "member", ({ member }) => leaf("members", member)],
  ["the member of a field", "member", ({ reviewer, member }) => leaf(`fields.${reviewer}`, member)],
  ["a claimer", "member", ({ member }) => leaf("claim", member, "isNot")],
  ["a board", "board", ({ one }) => leaf("boardPublicId", one, "isNot")],
  ["a number field", "number", ({ effort }) => leaf(`fields.${effort}`, 1, "gt")],
])("a condition that names %s is broken without it, and breaks no other", async (_, gone, make) => {
  const { save, rest, titles, ids, remove } = await scene();
  const filter = { or: [leaf("title", "Plain"), { and: [make(ids)] }] };
  const view = await save({ scope: "workspace", filter });
  expect(view).toMatchObject({ isBroken: false, broken: [] });
  const alone = await save({ scope: "workspace", name: "Alone", filter: make(ids) });
  expect((await remove[gone]()).status).toBe(200);
  const { body } = await rest.get(`/views/${view.publicId}`);
  expect(body).toMatchObject({ filter, isBroken: true, broken: ["filter.or.1.and.0"] });
  expect(await titles(view)).toEqual(["Plain"]);
  expect(await titles(alone)).toEqual([]);
  const groups = await rest.get(`/views/${alone.publicId}/groups`);
  expect(groups.body).toEqual({ groups: [], total: 0, isExact: true });
  expect((await rest.put(`/views/${view.publicId}`, { name: "B", filter })).status).toBe(200);
});

test("a condition is broken only if all that it names is gone", async () => {
  const { save, rest, titles, ids, remove } = await scene();
  const filter = leaf("labels", [ids.label, "abcdefghijkl"], "isAnyOf");
  const view = await save({ filter });
  expect(view).toMatchObject({ isBroken: false });
  expect(await titles(view)).toEqual(["Full"]);
  await remove.label();
  expect((await rest.get(`/views/${view.publicId}`)).body.broken).toEqual(["filter"]);
});

test("a condition on `me` is never broken", async () => {
  const { save } = await scene();
  expect(await save({ filter: leaf("members", "me") })).toMatchObject({ isBroken: false });
});

test("a broken key of the order is left out, and the next one counts", async () => {
  const { save, rest, titles, ids, remove } = await scene();
  const sortBy = [
    { field: `fields.${ids.effort}`, order: "desc" },
    { field: "createdAt", order: "desc" },
  ];
  const view = await save({ sortBy });
  expect(await titles(view)).toEqual(["Full", "Plain"]);
  await remove.number();
  const { body } = await rest.get(`/views/${view.publicId}`);
  expect(body).toMatchObject({ sortBy, isBroken: true, broken: ["sortBy.0"] });
  expect(await titles(view)).toEqual(["Plain", "Full"]);
});

test("a broken grouping has no groups, and the cards stay", async () => {
  const { save, rest, titles, ids, remove } = await scene();
  const groupBy = { field: `fields.${ids.size}` };
  const view = await save({ groupBy });
  await remove.field();
  const { body } = await rest.get(`/views/${view.publicId}`);
  expect(body).toMatchObject({ groupBy, isBroken: true, broken: ["groupBy"] });
  expect(await titles(view)).toHaveLength(2);
  const groups = await rest.get(`/views/${view.publicId}/groups`);
  expect(groups.body).toEqual({ groups: [], total: 2, isExact: true });
  const { status, body: refused } = await rest.get(`/views/${view.publicId}/cards?group=none`);
  expect([status, refused.issues[0].path]).toEqual([400, ["group"]]);
});

test("what is restored is whole again", async () => {
  const { save, rest, titles, ids, remove } = await scene();
  const view = await save({ filter: leaf(`fields.${ids.size}`, ids.small) });
  await remove.field();
  expect(await titles(view)).toEqual([]);
  await rest.post(`/fields/${ids.size}/restore`);
  expect((await rest.get(`/views/${view.publicId}`)).body).toMatchObject({ isBroken: false });
  expect(await titles(view)).toEqual(["Full"]);
});

test("what a hidden board has is broken for those who do not see it, as what never was", async () => {
  const { save, rest, ids, remove, member, titles } = await scene();
  const made = (number: string, select: string) => ({
    scope: "workspace",
    filter: { and: [{ field: `fields.${number}`, op: "isEmpty" }] },
    sortBy: [{ field: `fields.${number}`, order: "asc" }],
    groupBy: { field: `fields.${select}` },
  });
  const never = await save(made("abcdefghijkl", "abcdefghijkm"));
  const hidden = await save(made(ids.effort, ids.size));
  await remove.hidden();
  const seen = async (view: { publicId: string }, by = member.rest) => {
    const { body } = await by.get(`/views/${view.publicId}`);
    const cards = await titles(view, {}, by);
    const groups = (await by.get(`/views/${view.publicId}/groups`)).body;
    return { broken: body.broken, cards, groups };
  };
  expect(await seen(never)).toEqual(await seen(hidden));
  expect((await seen(hidden)).broken).toEqual(["filter.and.0", "sortBy.0", "groupBy"]);
  expect((await seen(hidden, rest)).broken).toEqual([]);
});
