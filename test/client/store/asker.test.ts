import { expect, test } from "vitest";
import {
  filterBoard,
  filterCards,
  formatField,
  type BoardView,
  type Filter,
} from "../../../src/client/store/index.ts";
import { useApp } from "../../support/app.ts";
import { join } from "../../support/make.ts";
import { waitFor } from "../../support/wait.ts";
import { connect, makeScene } from "./scene.ts";

const app = useApp();

const mine: Filter = { field: "members", op: "is", value: "me" };
const titlesOf = (cards: readonly { title: string }[]) => cards.map(({ title }) => title);

/** A scene whose member has card A, and a card that is due late in their Sunday. */
async function assigned() {
  const scene = await makeScene(app());
  const { admin, workspace, cards, first } = scene;
  const member = await join(app(), workspace, "member");
  const { rest } = admin;
  await rest.put(`/workspaces/${workspace.publicId}`, { weekStartDay: 0, timeZone: "Asia/Tokyo" });
  await rest.put(`/cards/${cards[0]}/members/${member.memberPublicId}`);
  return { ...scene, member, first };
}

test("filters of a store's boards know who asks, as the service does", async () => {
  const { board, member } = await assigned();
  const { store, client } = connect(app, member);
  const shown = await store.board(board).ready();
  expect(titlesOf(filterCards(shown, mine))).toEqual(["A"]);
  const { items } = await client.board.queryCards({ boardPublicId: board, filter: mine });
  expect(titlesOf(items)).toEqual(["A"]);
  expect(titlesOf(filterCards(shown, mine, { me: null }))).toEqual([]);
  const lists = filterBoard(shown, mine).lists.map(({ name, cards }) => [name, titlesOf(cards)]);
  expect(lists).toEqual(shown.lists.map(({ name }, nth) => [name, nth === 0 ? ["A"] : []]));
});

test("days and weeks are those of the user, else of the workspace, and follow its changes", async () => {
  const { admin, board, cards, workspace, member } = await assigned();
  const now = Date.parse("2042-06-07T16:30:00Z");
  // In Tokyo it is Sunday, and a week has begun; in UTC it is Saturday.
  await admin.rest.put(`/cards/${cards[0]}`, { dueDate: "2042-06-07T15:30:00Z" });
  await admin.rest.put(`/cards/${cards[1]}`, { dueDate: "2042-06-07T14:30:00Z" });
  const { store } = connect(app, member);
  const source = store.board(board);
  source.subscribe(() => undefined);
  const shown = await source.ready();
  const week: Filter = { field: "dueDate", op: "within", value: "thisWeek" };
  expect(titlesOf(filterCards(shown, week, { now }))).toEqual(["A"]);
  await admin.rest.put(`/workspaces/${workspace.publicId}`, { timeZone: "UTC" });
  const latest = () => source.get().board as BoardView;
  await waitFor(() => expect(titlesOf(filterCards(latest(), week, { now }))).toEqual(["A", "B"]));
});

test("`formatField` writes values as people read them", async () => {
  const { admin, board, first, member } = await assigned();
  const { rest } = admin;
  const given = {
    text: [{}, "Plain"],
    number: [{ unit: "h" }, 1234.5],
    date: [{}, "2042-06-07T15:30:00Z"],
    checkbox: [{}, true],
    select: [{ options: [{ name: "Small" }, { name: "Large" }] }, 1],
    multiSelect: [{ options: [{ name: "One" }, { name: "Two" }] }, [0, 1]],
    member: [{}, member.memberPublicId],
    url: [{}, "https://example.com/"],
  } as const;
  const fields: Record<string, unknown> = {};
  const ids: Record<string, string> = {};
  for (const [type, [extra, value]] of Object.entries(given)) {
    const path = `/boards/${board}/fields`;
    const { body } = await rest.post(path, { name: type, type, isShownOnCard: true, ...extra });
    const option = (nth: number) => body.options[nth].publicId;
    ids[type] = body.publicId;
    fields[body.publicId] =
      type === "select"
        ? option(value as number)
        : type === "multiSelect"
          ? (value as readonly number[]).map(option)
          : value;
  }
  const { body: card } = await rest.post("/cards", { title: "V", listPublicId: first, fields });
  const { store } = connect(app, member);
  const shown = await store.board(board).ready();
  const whole = await store.card(card.publicId).ready();
  const written = Object.fromEntries(
    Object.entries(ids).map(([type, id]) => [
      type,
      formatField(shown, whole, id, {
        locale: "en-GB",
        members: [{ publicId: member.memberPublicId, name: "Ada" }],
      }),
    ]),
  );
  expect(written).toEqual({
    text: "Plain",
    number: "1,234.5 h",
    date: "8 Jun 2042",
    checkbox: "Yes",
    select: "Large",
    multiSelect: "One, Two",
    member: "Ada",
    url: "https://example.com/",
  });
  const [plain] = shown.lists[0]?.cards ?? [];
  for (const field of shown.fields) expect(formatField(shown, plain ?? whole, field)).toBe("");
});
