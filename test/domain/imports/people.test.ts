import { expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeWorkspace, type User, type Workspace } from "../../support/make.ts";
import { boardOf, importFile } from "../../transfer/imports/importing.ts";
import {
  board,
  card,
  checklist,
  comment,
  idOf,
  item,
  kinds,
  list,
  member,
} from "../../transfer/imports/trello-objects.ts";

const app = useApp({ isolated: true });
const [first, second] = [idOf(kinds.card, 1), idOf(kinds.card, 2)];
const [ada, bob] = [idOf(kinds.member, 1), idOf(kinds.member, 2)];
const source = board({
  lists: [list(1)],
  members: [
    member(1, { fullName: "Ada", email: "ada@example.com" }),
    member(2, { fullName: "bob@example.com" }),
  ],
  cards: [card(1, { idMembers: [ada] }), card(2, { idMembers: [ada, bob] })],
  actions: [
    comment(1, first, { memberCreator: member(1), idMemberCreator: ada }),
    comment(2, second, { memberCreator: member(1), idMemberCreator: ada }),
  ],
});

const pathOf = (id: string) => `/imports/${id}/people`;
const cardsOf = async (home: Workspace, done: { boards: { publicId: string }[] }) => {
  const { lists } = await boardOf(home, done.boards[0]?.publicId ?? "");
  const ids: string[] = lists[0].cards.map(({ publicId }: { publicId: string }) => publicId);
  return Promise.all(ids.map(async (id) => (await home.admin.rest.get(`/cards/${id}`)).body));
};
const membersOf = async (...from: Parameters<typeof cardsOf>) =>
  (await cardsOf(...from)).map(({ members }) => members.map((one: any) => one.publicId));

async function begin() {
  const home = await makeWorkspace(app());
  const user = await join(app(), home, "member");
  const done = await importFile(app(), home, source);
  const map = (
    sourceId: string,
    memberPublicId: string | null,
    who: Pick<User, "rest"> = home.admin,
  ) => who.rest.put(pathOf(done.publicId), { people: [{ sourceId, memberPublicId }] });
  return { home, user, done, map };
}

test("the people of a source are listed with their counts, and without addresses", async () => {
  const { home, done } = await begin();
  const { status, body } = await home.admin.rest.get(pathOf(done.publicId));
  expect([status, body]).toEqual([
    200,
    {
      items: [
        {
          sourceId: ada,
          name: "Ada @trello1",
          comments: 2,
          cards: 2,
          checklistItems: 0,
          member: null,
        },
        {
          sourceId: bob,
          name: "bob @trello2",
          comments: 0,
          cards: 1,
          checklistItems: 0,
          member: null,
        },
      ],
      nextCursor: null,
    },
  ]);
  const { body: page } = await home.admin.rest.get(`${pathOf(done.publicId)}?limit=1`);
  const next = `${pathOf(done.publicId)}?limit=1&cursor=${page.nextCursor}`;
  expect((await home.admin.rest.get(next)).body.items).toMatchObject([{ sourceId: bob }]);
});

test("a mapped person is shown beside the imported name and assigned to their cards", async () => {
  const { home, user, done, map } = await begin();
  const { status, body } = await map(ada, user.memberPublicId);
  expect([status, body.people]).toMatchObject([
    200,
    [{ member: { publicId: user.memberPublicId } }],
  ]);
  expect(await membersOf(home, done)).toEqual([[user.memberPublicId], [user.memberPublicId]]);
  const [shown] = await cardsOf(home, done);
  const path = `/cards/${shown.publicId}/comments`;
  const { body: comments } = await home.admin.rest.get(path);
  expect(comments.items).toMatchObject([
    {
      author: null,
      importedAuthor: { source: "trello", member: { publicId: user.memberPublicId } },
    },
  ]);
  const edit = { comment: "Not mine" };
  const refused = await user.rest.put(`${path}/${comments.items[0].publicId}`, edit);
  expect(refused.status).toBe(403);
  const mapped = () => eventsIn(app(), home.publicId, "import.people_mapped");
  expect(await mapped()).toHaveLength(1);
  await map(ada, user.memberPublicId);
  expect(await mapped()).toHaveLength(1);
});

test("a removed mapping takes its assignments back, except those of another mapped person", async () => {
  const { home, user, done, map } = await begin();
  await map(ada, user.memberPublicId);
  await map(bob, user.memberPublicId);
  expect((await map(ada, null)).status).toBe(200);
  expect(await membersOf(home, done)).toEqual([[], [user.memberPublicId]]);
});

test("a later import of the source uses the mapping", async () => {
  const { home, user, map } = await begin();
  await map(ada, user.memberPublicId);
  const more = { ...source, cards: [...source["cards"], card(3, { idMembers: [ada] })] };
  const done = await importFile(app(), home, more);
  expect(done.counts.cardMember).toMatchObject({ created: 1 });
  const { body } = await user.rest.get("/users/me/cards");
  const shown = body.items.find(({ title }: { title: string }) => title === "Card 3");
  const { body: made } = await home.admin.rest.get(`/cards/${shown.publicId}`);
  expect(made.description).not.toContain("Members at Trello");
});

test("only holders of member:edit map people, to members of the workspace only", async () => {
  const { home, user, done, map } = await begin();
  const other = await makeWorkspace(app());
  const stranger = await join(app(), other, "member");
  expect((await map(ada, user.memberPublicId, user)).status).toBe(403);
  expect((await map(ada, user.memberPublicId, other.admin)).status).toBe(403);
  expect((await user.rest.get(pathOf(done.publicId))).status).toBe(403);
  expect((await map(ada, stranger.memberPublicId)).status).toBe(404);
  expect((await map("unknown", user.memberPublicId)).status).toBe(404);
  expect(await membersOf(home, done)).toEqual([[], []]);
  await importFile(app(), other, source);
  await map(ada, user.memberPublicId);
  const { body } = await other.admin.rest.get(`/workspaces/${other.publicId}/imports`);
  const { body: theirs } = await other.admin.rest.get(pathOf(body.items[0].publicId));
  expect(theirs.items.map((one: any) => one.member)).toEqual([null, null]);
});

test("a member is not assigned to cards of a restricted board that they do not see", async () => {
  const { home, user, done, map } = await begin();
  const path = `/boards/${done.boards[0].publicId}`;
  expect((await home.admin.rest.put(path, { visibility: "restricted" })).status).toBe(200);
  expect((await map(ada, user.memberPublicId)).status).toBe(200);
  expect(await membersOf(home, done)).toEqual([[], []]);
});

const withItems = {
  ...source,
  checklists: [checklist(1, first, [item(1, { idMember: ada }), item(2, { idMember: bob })])],
};
const assigneesOf = async (...from: Parameters<typeof cardsOf>) => {
  const [shown] = await cardsOf(...from);
  return shown.checklists[0].items.map((each: any) => each.memberPublicId ?? null);
};

test("assignees of imported checklist items follow a later mapping, and its removal", async () => {
  const { home, user, done, map } = await begin();
  await importFile(app(), home, withItems);
  expect(await assigneesOf(home, done)).toEqual([null, null]);
  const { body } = await home.admin.rest.get(pathOf(done.publicId));
  expect(body.items.map((each: any) => each.checklistItems)).toEqual([1, 1]);
  await map(ada, user.memberPublicId);
  expect(await assigneesOf(home, done)).toEqual([user.memberPublicId, null]);
  const other = await join(app(), home, "member");
  await map(ada, other.memberPublicId);
  expect(await assigneesOf(home, done)).toEqual([other.memberPublicId, null]);
  await map(ada, null);
  expect(await assigneesOf(home, done)).toEqual([null, null]);
});

test("the title of an item names its assignee at the source unless it has one here", async () => {
  const { home, user, done, map } = await begin();
  await importFile(app(), home, withItems);
  const titles = async () => {
    const [shown] = await cardsOf(home, done);
    return shown.checklists[0].items.map((each: any) => each.title);
  };
  const named = ["Item 1 (Ada @trello1)", "Item 2 (bob @trello2)"];
  expect(await titles()).toEqual(named);
  await map(ada, user.memberPublicId);
  expect(await titles()).toEqual(["Item 1", named[1]]);
  await map(ada, null);
  expect(await titles()).toEqual(named);
});

test("people of hidden boards only are neither listed nor mapped", async () => {
  const { home, done, map } = await begin();
  const editor = await join(app(), home, "member");
  const permissions = `/workspaces/${home.publicId}/members/${editor.memberPublicId}/permissions`;
  await home.admin.rest.post(`${permissions}/grant`, { permission: "member:edit" });
  const listed = async (who: Pick<User, "rest">) =>
    (await who.rest.get(pathOf(done.publicId))).body.items.map((one: any) => one.sourceId);
  expect(await listed(editor)).toEqual([ada, bob]);
  const [one] = await cardsOf(home, done);
  const { body: open } = await home.admin.rest.post(`/workspaces/${home.publicId}/boards`, {
    name: "Open",
    lists: ["To do"],
  });
  const path = `/boards/${done.boards[0].publicId}`;
  await home.admin.rest.put(path, { visibility: "restricted" });
  expect(await listed(editor)).toEqual([]);
  expect((await map(ada, editor.memberPublicId, editor)).status).toBe(404);
  await home.admin.rest.put(`/cards/${one.publicId}`, { listPublicId: open.lists[0].publicId });
  expect(await listed(editor)).toEqual([ada]);
  expect((await map(ada, editor.memberPublicId, editor)).status).toBe(200);
  expect((await map(bob, editor.memberPublicId, editor)).status).toBe(404);
  expect(await listed(home.admin)).toEqual([ada, bob]);
});

test("an item is not assigned to a mapped person who does not see its board", async () => {
  const { home, user, done, map } = await begin();
  await map(ada, user.memberPublicId);
  const path = `/boards/${done.boards[0].publicId}`;
  expect((await home.admin.rest.put(path, { visibility: "restricted" })).status).toBe(200);
  const again = await importFile(app(), home, withItems);
  expect(again.counts.checklistItem).toMatchObject({ created: 2 });
  expect(await assigneesOf(home, done)).toEqual([null, null]);
  expect(again.issues).toContainEqual(
    expect.objectContaining({
      kind: "checklistItem",
      reason: "The member cannot see the board.",
      isPartlyThere: true,
    }),
  );
  await map(bob, user.memberPublicId);
  expect(await assigneesOf(home, done)).toEqual([null, null]);
});
