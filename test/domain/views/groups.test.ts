import { expect, test } from "vitest";
import { groupFields } from "../../../src/contract/filter/groupings.ts";
import { viewing } from "../../../src/contract/vocabulary/permissions.ts";
import { useApp } from "../../support/app.ts";
import { makeScene } from "./scene.ts";

const app = useApp();
const day = 86_400_000;

/** Cards on two boards with all that cards are grouped by. */
async function scene() {
  const all = await makeScene(app());
  const { rest, one, two, card, member, guest } = all;
  const { body: sizes } = await rest.post(`/boards/${one.publicId}/fields`, {
    name: "Sizes",
    type: "multiSelect",
    options: [{ name: "S", colourCode: "#00ff00" }, { name: "M" }],
  });
  const [s, m] = sizes.options.map(({ publicId }: { publicId: string }) => publicId);
  const people = [member.memberPublicId, guest.memberPublicId];
  const now = app().deps.clock().getTime();
  const due = (days: number) => new Date(now + days * day).toISOString();
  const [todo, doing] = one.lists;
  const label = one.labels[0];
  const fields = (...values: string[]) => ({ fields: { [sizes.publicId]: values } });
  await card(todo, "1", { priority: "high", dueDate: due(-3), ...fields(s, m) });
  await card(todo, "2", { priority: "low", dueDate: due(0), labelPublicIds: [label] });
  await card(doing, "3", { memberPublicIds: people, dueDate: due(1), ...fields(s) });
  await card(two.lists[0], "4", { priority: "high", dueDate: due(40), memberPublicIds: people });
  await card(two.lists[1], "5", { labelPublicIds: [two.labels[0]], dueDate: due(3) });
  await card(two.lists[1], "6");
  return { ...all, sizes };
}

test.each([...groupFields, "SIZES"])(
  "view.groups by %s counts the cards that view.cards shows of each group",
  async (name) => {
    const { save, rest, titles, sizes, member, names: _ } = await scene();
    const field = name === "SIZES" ? `fields.${sizes.publicId}` : name;
    for (const filter of [null, { field: "text", op: "contains", value: "3" }]) {
      const view = await save({ scope: "workspace", groupBy: { field }, filter });
      for (const by of [rest, member.rest]) {
        const { body } = await by.get(`/views/${view.publicId}/groups`);
        const found = new Set<string>();
        for (const { key, count } of body.groups) {
          const cards = await titles(view, { group: key }, by);
          expect([key, cards.length]).toEqual([key, count]);
          for (const title of cards) found.add(title);
        }
        const all = await titles(view, {}, by);
        expect(found.size).toBe(all.length);
        expect(body).toMatchObject({ total: all.length, isExact: true });
        expect(body.groups.length).toBeGreaterThan(0);
      }
    }
  },
);

test("view.groups names the groups, in order", async () => {
  const { save, rest, one, two, sizes, member, guest } = await scene();
  const groups = async (field: string) => {
    const view = await save({ groupBy: { field } });
    return (await rest.get(`/views/${view.publicId}/groups`)).body.groups;
  };
  const plain = { name: null, colourCode: null, boardPublicId: null };
  expect(await groups("priority")).toEqual([
    { ...plain, key: "high", count: 2 },
    { ...plain, key: "low", count: 1 },
    { ...plain, key: "none", count: 3 },
  ]);
  expect(await groups("list")).toMatchObject([
    { key: one.lists[0], name: "To do", boardPublicId: one.publicId, count: 2 },
    { key: one.lists[1], name: "Doing", boardPublicId: one.publicId, count: 1 },
    { key: two.lists[0], name: "To do", boardPublicId: two.publicId, count: 1 },
    { key: two.lists[1], name: "Doing", boardPublicId: two.publicId, count: 2 },
  ]);
  const [s, m] = sizes.options;
  expect(await groups(`fields.${sizes.publicId}`)).toEqual([
    { key: s.publicId, name: "S", colourCode: "#00ff00", boardPublicId: one.publicId, count: 2 },
    { key: m.publicId, name: "M", colourCode: null, boardPublicId: one.publicId, count: 1 },
    { ...plain, key: "none", count: 4 },
  ]);
  expect(await groups("member")).toEqual([
    { ...plain, key: guest.memberPublicId, name: "A guest", count: 2 },
    { ...plain, key: member.memberPublicId, name: "A member", count: 2 },
    { ...plain, key: "none", count: 4 },
  ]);
  expect((await groups("due")).map(({ key }: { key: string }) => key)).toEqual(
    expect.arrayContaining(["past", "today", "tomorrow", "later", "none"]),
  );
  expect((await groups("label")).at(-1)).toEqual({ ...plain, key: "none", count: 4 });
});

test.each([
  ["priority", "huge"],
  ["due", "someday"],
])("view.cards refuses a group of %s that there cannot be", async (field, group) => {
  const { save, rest } = await scene();
  const view = await save({ groupBy: { field } });
  const { status, body } = await rest.get(`/views/${view.publicId}/cards?group=${group}`);
  expect([status, body.issues[0].path]).toEqual([400, ["group"]]);
});

test("view.cards refuses a group of a view without groups, and knows no card of an unknown one", async () => {
  const { save, rest, titles } = await scene();
  const view = await save({});
  expect((await rest.get(`/views/${view.publicId}/cards?group=none`)).status).toBe(400);
  const grouped = await save({ groupBy: { field: "list" } });
  expect(await titles(grouped, { group: "abcdefghijkl" })).toEqual([]);
});

const toldApart = viewing.filter((permission) => !["card:view", "board:view"].includes(permission));

test.each(toldApart)(
  "view.groups names nothing that board.get and view.cards hide without %s",
  async (permission) => {
    const { save, rest, workspace, one, two, sizes, member } = await scene();
    const path = `/workspaces/${workspace.publicId}/members/${member.memberPublicId}/permissions`;
    expect((await rest.post(`${path}/revoke`, { permission })).status).toBe(200);
    for (const field of [...groupFields, `fields.${sizes.publicId}`]) {
      const view = await save({ scope: "workspace", groupBy: { field } });
      const seen = [`/boards/${one.publicId}`, `/boards/${two.publicId}`];
      const shown = [...seen, `/boards/${one.publicId}/fields`, `/views/${view.publicId}/cards`];
      const replies = await Promise.all(shown.map((url) => member.rest.get(url)));
      const texts = JSON.stringify(replies.map(({ body }) => body));
      const { status, body } = await member.rest.get(`/views/${view.publicId}/groups`);
      expect([status, body.groups.length > 0]).toEqual([200, true]);
      const hidden = body.groups.flatMap(({ name }: { name: string | null }) =>
        name === null || texts.includes(JSON.stringify(name)) ? [] : name,
      );
      expect([field, hidden]).toEqual([field, []]);
    }
  },
);

test("byName, lists, labels and options of one name are one group over boards", async () => {
  const { save, rest, one, two, card, titles, sizes, member, guest } = await scene();
  const other = await rest.post(`/boards/${two.publicId}/fields`, {
    name: "SIZES",
    type: "select",
    options: [{ name: "m" }, { name: "XL" }],
  });
  const hidden = await rest.post(`/boards/${two.publicId}/fields`, { name: "sizes", type: "text" });
  expect([other.status, hidden.status]).toEqual([200, 200]);
  await rest.put(`/lists/${two.lists[0]}`, { name: "TO\u00ad DO" });
  const bug = (boardPublicId: string, name: string) =>
    rest.post("/labels", { boardPublicId, name, colourCode: "#d73a4a" });
  const bugs = [await bug(one.publicId, "Bug"), await bug(two.publicId, "bug")];
  const twice = await bug(two.publicId, "BUG");
  const [oneBug, twoBug] = bugs.map(({ body }) => body.publicId);
  await card(one.lists[2], "7", { labelPublicIds: [oneBug] });
  await card(two.lists[2], "8", {
    labelPublicIds: [twoBug, twice.body.publicId],
    fields: { [other.body.publicId]: other.body.options[0].publicId },
  });
  const groupsOf = async (view: { publicId: string }, by = rest) =>
    (await by.get(`/views/${view.publicId}/groups`)).body.groups;
  for (const [field, keys] of [
    ["list", ["name:TO\u00ad DO", "name:Doing", "name:Done"]],
    ["label", ["name:BUG", "name:Label 0", "none"]],
    [`fields.${sizes.publicId}`, ["name:S", "name:M", "none"]],
  ] as const) {
    const view = await save({ scope: "workspace", groupBy: { field, byName: true } });
    expect(view).toMatchObject({ groupBy: { field, byName: true }, isBroken: false });
    for (const by of [rest, member.rest]) {
      const groups = await groupsOf(view, by);
      const names = groups.map(({ key }: { key: string }) => key.toLowerCase());
      expect(names.toSorted()).toEqual(keys.map((key) => key.toLowerCase()).toSorted());
      for (const { key, count, boardPublicId } of groups) {
        expect([key, boardPublicId, (await titles(view, { group: key }, by)).length]).toEqual([
          key,
          null,
          count,
        ]);
      }
    }
  }
  const byLabel = await save({ scope: "workspace", groupBy: { field: "label", byName: true } });
  const group = (await groupsOf(byLabel)).find(({ key }: any) => /bug/i.test(key));
  expect([group.count, (await titles(byLabel, { group: "name:bUg" })).toSorted()]).toEqual([
    2,
    ["7", "8"],
  ]);
  const bad = await rest.get(`/views/${byLabel.publicId}/cards?group=${oneBug}`);
  expect([bad.status, bad.body.issues[0].path]).toEqual([400, ["group"]]);
  // Who may not see the names of lists learns nothing of them.
  await rest.post(
    `/workspaces/${byLabel.workspacePublicId}/members/${guest.memberPublicId}/permissions/revoke`,
    { permission: "list:view" },
  );
  const byList = await save({ scope: "workspace", groupBy: { field: "list", byName: true } });
  const [only, ...more] = await groupsOf(byList, guest.rest);
  expect([only, more]).toEqual([
    { key: "none", name: null, colourCode: null, boardPublicId: null, count: 8 },
    [],
  ]);
  expect(await titles(byList, { group: "none" }, guest.rest)).toHaveLength(8);
  expect(await titles(byList, { group: "name:Doing" }, guest.rest)).toEqual([]);
});

test("a condition names lists and labels of all boards by their names", async () => {
  const { save, titles } = await scene();
  const named = (field: string, op: string, value: unknown) =>
    save({ filter: { field, op, value } });
  expect((await titles(await named("listName", "is", "doing"))).toSorted()).toEqual([
    "3",
    "5",
    "6",
  ]);
  expect(await titles(await named("labelNames", "isAnyOf", ["LABEL 0", "x"]))).toHaveLength(2);
  expect(await titles(await named("labelNames", "isNoneOf", ["LABEL 0", "x"]))).toHaveLength(4);
});

test.each(["member", "priority", "due"])(
  "cards are not grouped by the name of a %s",
  async (field) => {
    const { rest, path } = await makeScene(app());
    const reply = await rest.post(path, { name: "View", groupBy: { field, byName: true } });
    expect([reply.status, reply.body.issues[0].path]).toEqual([400, ["groupBy", "byName"]]);
  },
);
