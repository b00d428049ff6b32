import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeWorkspace } from "../../support/make.ts";
import { importFile } from "../../transfer/imports/importing.ts";
import { board, card, comment, idOf, kinds, list } from "../../transfer/imports/trello-objects.ts";

const app = useApp({ isolated: true });

test("an import stores 10,000 issues, and counts the others by their reasons", async () => {
  const home = await makeWorkspace(app());
  const one = idOf(kinds.card, 1);
  const many = 10_500;
  const empty = { data: { text: "", card: { id: one } } };
  const actions = Array.from({ length: many }, (_, nth) => comment(nth + 10, one, empty));
  const done = await importFile(
    app(),
    home,
    board({ lists: [list(1)], cards: [card(1)], actions }),
  );
  const { body } = await home.admin.rest.get(`/imports/${done.publicId}/report`);
  const group = body.groups.find(({ kind }: any) => kind === "comment");
  expect(group).toMatchObject({ reason: "It has no text.", count: many });
  const where = { import: { publicId: done.publicId }, kind: "comment" };
  const stored = await app().db.reader.importIssue.count({ where });
  expect(stored).toBeGreaterThanOrEqual(10_000);
  expect(stored).toBeLessThan(10_100);
});
