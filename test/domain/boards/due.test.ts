import { beforeAll, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace, type Board, type Workspace } from "../../support/make.ts";

const app = useApp();
let workspace: Workspace;
let board: Board;

// A Wednesday at noon; the month has 31 days.
const now = Date.parse("2040-08-15T12:00:00Z");
const dates = {
  never: null,
  "last month": "2040-07-31T23:59:59Z",
  "sunday before": "2040-08-12T10:00:00Z",
  monday: "2040-08-13T00:00:00Z",
  "this morning": "2040-08-15T00:00:00Z",
  "tonight, elsewhere": "2040-08-16T01:59:59+02:00",
  tomorrow: "2040-08-16T00:00:00Z",
  "tomorrow night": "2040-08-16T23:59:59Z",
  saturday: "2040-08-18T12:00:00Z",
  sunday: "2040-08-19T23:59:59Z",
  "next monday": "2040-08-20T00:00:00Z",
  "last of month": "2040-08-31T23:59:59Z",
  "next month": "2040-09-01T00:00:00Z",
};

beforeAll(async () => {
  app().advance(now - app().deps.clock().getTime());
  workspace = await makeWorkspace(app());
  board = await makeBoard(workspace);
  const [list] = board.lists;
  for (const [title, dueDate] of Object.entries(dates)) {
    await workspace.admin.rest.post("/cards", { title, listPublicId: list, dueDate });
  }
  const done = await workspace.admin.rest.post("/cards", {
    title: "done",
    listPublicId: list,
    dueDate: "2040-08-13T09:00:00Z",
  });
  await workspace.admin.rest.put(`/cards/${done.body.publicId}`, { isComplete: true });
});

const upTo = (...titles: string[]) => titles.toSorted();
const week = [
  "monday",
  "done",
  "this morning",
  "tonight, elsewhere",
  "tomorrow",
  "tomorrow night",
  "saturday",
];

async function due(when: string): Promise<string[]> {
  const { body } = await workspace.admin.rest.get(`/boards/${board.publicId}?due=${when}`);
  const page = await workspace.admin.rest.get(`/boards/${board.publicId}/cards?due=${when}`);
  const titles = body.lists[0].cards.map(({ title }: { title: string }) => title).toSorted();
  expect(page.body.items.map(({ title }: { title: string }) => title).toSorted()).toEqual(titles);
  return titles;
}

test.each([
  ["none", upTo("never")],
  ["overdue", upTo("last month", "sunday before", "monday", "this morning")],
  ["today", upTo("this morning", "tonight, elsewhere")],
  ["tomorrow", upTo("tomorrow", "tomorrow night")],
  [
    "month",
    upTo(
      ...Object.keys(dates).filter((title) => !/never|last month|next month/.test(title)),
      "done",
    ),
  ],
])("due=%s goes by the days of UTC", async (when, expected) => {
  expect(await due(when)).toEqual(expected);
});

test.each([
  [0, upTo(...week, "sunday before")],
  [1, upTo(...week, "sunday")],
  [3, upTo(...week.slice(2), "sunday", "next monday")],
])("due=week begins on the workspace's day %i", async (weekStartDay, expected) => {
  await workspace.admin.rest.put(`/workspaces/${workspace.publicId}`, { weekStartDay });
  expect(await due("week")).toEqual(expected);
});
