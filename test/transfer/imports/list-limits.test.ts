import { expect, test } from "vitest";
import { minimalDocument } from "../exports/minimal.ts";
import { useApp } from "../../support/app.ts";
import { makeUser, makeWorkspace } from "../../support/make.ts";
import { boardOf, importFile } from "./importing.ts";
import { bring } from "./sending.ts";
import { board, card, list } from "./trello-objects.ts";

const app = useApp({ isolated: true });
const said = {
  kind: "list",
  severity: "info",
  reason: "Imports do not stop at the limits of lists: it has 3 cards, and its limit is 2.",
};

test("an import fills a list beyond its limit, and its report says so", async () => {
  const home = await makeWorkspace(app());
  const { rest } = home.admin;
  const lists = [list(1)];
  const first = await importFile(app(), home, board({ lists, cards: [card(1)] }));
  expect(first.issues.filter(({ kind }: any) => kind === "list")).toEqual([]);
  const publicId = first.boards[0]?.publicId ?? "";
  const { lists: imported } = await boardOf(home, publicId);
  await rest.put(`/lists/${imported[0].publicId}`, { wipLimit: 2, wipMode: "block" });
  const again = board({ lists, cards: [card(1), card(2), card(3)] });
  const second = await importFile(app(), home, again);
  expect(second).toMatchObject({ status: "completed" });
  expect(second.counts.card).toMatchObject({ created: 2, leftOut: 0 });
  expect(second.counts.list).toMatchObject({ found: 1, alreadyThere: 1, leftOut: 0 });
  expect(second.issues.filter(({ kind }: any) => kind === "list")).toMatchObject([
    { ...said, name: imported[0].name },
  ]);
  const shown = await boardOf(home, publicId);
  expect(shown.lists[0]).toMatchObject({ wipMode: "block", cardsOverLimit: 1 });
});

test("a workspace with a list beyond its limit is imported whole; older files have no `wipMode`", async () => {
  const user = await makeUser(app());
  const file = minimalDocument();
  const limitOf = async (more: object) => {
    const [first] = file.boards;
    const lists = first?.lists.map((one) => ({ ...one, wipLimit: 1, ...more }));
    const done = await bring(app(), user, { ...file, boards: [{ ...first, lists }] });
    expect(done).toMatchObject({ status: "completed" });
    const { body } = await user.rest.get(`/boards/${done.boards[0].publicId}`);
    const { wipMode, cardsOverLimit } = body.lists[0];
    const reported = done.report.items.filter(({ kind }: any) => kind === "list");
    return [wipMode, cardsOverLimit, reported.length];
  };
  expect(await limitOf({ wipMode: "block" })).toEqual(["block", 1, 1]);
  expect(await limitOf({})).toEqual(["warn", 1, 0]);
});
