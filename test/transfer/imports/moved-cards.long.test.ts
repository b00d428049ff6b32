import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { runDue } from "../../support/jobs.ts";
import { makeBoard, makeWorkspace, type Board, type Workspace } from "../../support/make.ts";
import { boardOf, importFile } from "./importing.ts";
import {
  attachment,
  board,
  card,
  checklist,
  comment,
  idOf,
  item,
  kinds,
  list,
} from "./trello-objects.ts";

const app = useApp({ isolated: true });

const one = idOf(kinds.card, 1);
const source = (comments = 1) =>
  board({
    lists: [list(1)],
    cards: [card(1, { attachments: [attachment(1)] }), card(2)],
    checklists: [checklist(1, one, [item(1)])],
    actions: [1, 2].slice(0, comments).map((nth) => comment(nth, one)),
  });

const trashMs = 31 * 24 * 60 * 60 * 1000;
type Case = { home: Workspace; imported: string; other: Board };
const remove = ({ home, imported }: Case) => home.admin.rest.delete(`/boards/${imported}`);

test.each<[string, (about: Case) => Promise<unknown>]>([
  ["deleted", remove],
  [
    "purged",
    async (about) => {
      await remove(about);
      app().advance(trashMs);
      await runDue(app().deps);
      app().resetClock();
      expect(await app().db.reader.board.count({ where: { publicId: about.imported } })).toBe(0);
    },
  ],
  [
    "moved to another workspace",
    async ({ home, imported }) => {
      const { body } = await home.admin.rest.post("/workspaces", { name: "Another" });
      const to = { workspacePublicId: body.publicId };
      expect((await home.admin.rest.post(`/boards/${imported}/move`, to)).status).toBe(200);
    },
  ],
])("a card that left its board before the board was %s is imported once", async (_, end) => {
  const home = await makeWorkspace(app());
  const other = await makeBoard(home);
  const first = await importFile(app(), home, source());
  const imported = first.boards[0].publicId;
  const [moved, stayed] = (await boardOf(home, imported)).lists[0].cards;
  const to = { listPublicId: other.lists[0] };
  expect((await home.admin.rest.put(`/cards/${moved.publicId}`, to)).status).toBe(200);
  // This comment is imported where the card is by now.
  const { counts } = await importFile(app(), home, source(2));
  expect(counts.comment).toMatchObject({ created: 1, alreadyThere: 1 });
  await end({ home, imported, other });
  const again = await importFile(app(), home, source(2));
  expect(again.counts).toMatchObject({
    card: { created: 1, alreadyThere: 1 },
    checklist: { created: 0, alreadyThere: 1 },
    checklistItem: { created: 0, alreadyThere: 1 },
    comment: { created: 0, alreadyThere: 2 },
    attachment: { created: 0, alreadyThere: 1 },
  });
  const [newer] = (await boardOf(home, again.boards[0].publicId)).lists;
  expect(newer.cards.map(({ title }: { title: string }) => title)).toEqual([stayed.title]);
  expect((await boardOf(home, other.publicId)).lists[0].cards).toMatchObject([
    { publicId: moved.publicId },
  ]);
});
