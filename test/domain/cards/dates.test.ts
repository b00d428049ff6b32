import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp();

const start = async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const [listPublicId = ""] = board.lists;
  return { user: workspace.admin, board: board.publicId, listPublicId };
};

const good = {
  "2026-01-31T10:00:00Z": "2026-01-31T10:00:00.000Z",
  "2026-01-31T10:00:00.5+05:30": "2026-01-31T04:30:00.500Z",
  "2026-01-31T00:30:00-23:59": "2026-02-01T00:29:00.000Z",
  "2024-02-29T23:59:59.999Z": "2024-02-29T23:59:59.999Z",
  "2026-01-31T10:00:00.123456789Z": "2026-01-31T10:00:00.123Z",
  "0001-01-01T00:00:00Z": "0001-01-01T00:00:00.000Z",
  "0050-06-01T00:00:00Z": "0050-06-01T00:00:00.000Z",
  "1900-01-01T00:00:00.001Z": "1900-01-01T00:00:00.001Z",
  "9999-12-31T23:59:59.999Z": "9999-12-31T23:59:59.999Z",
};
const bad = [
  "",
  "tomorrow",
  "2026-01-31 10:00:00",
  "2026-02-30T10:00:00",
  "2026-02-30T10:00:00Z",
  "2026-02-29T10:00:00Z",
  "2026-13-01T10:00:00Z",
  "2026-01-31T24:00:00Z",
  "2026-01-31T10:60:00Z",
  "0001-01-01T00:00:00+00:01",
  "0000-12-31T23:59:59Z",
  "-000001-01-01T00:00:00Z",
  "9999-12-31T23:59:59-00:01",
  "10000-01-01T00:00:00Z",
  "+275760-09-13T00:00:00.000Z",
  "275760-09-13T00:00:00Z",
  1e17,
  {},
];

describe("a date", () => {
  test.each(Object.entries(good))("%s is the moment %s, everywhere", async (given, moment) => {
    const { user, board, listPublicId } = await start();
    const created = await user.rest.post("/cards", {
      title: "x",
      listPublicId,
      dueDate: given,
      startDate: given,
    });
    expect(created.body).toMatchObject({ dueDate: moment, startDate: moment });
    const id = await makeCard(user, listPublicId);
    const updated = await user.rest.put(`/cards/${id}`, { dueDate: given, startDate: given });
    expect(updated.body.dueDate).toBe(moment);
    const { body: read } = await user.rest.get(`/cards/${id}`);
    expect(read).toMatchObject({ dueDate: moment, startDate: moment });
    const { body: whole } = await user.rest.get(`/boards/${board}`);
    expect(whole.lists[0].cards).toMatchObject([
      { dueDate: moment, startDate: moment },
      { dueDate: moment, startDate: moment },
    ]);
    const events = await findEvents(app(), {
      where: { boardPublicId: board, type: "card.updated" },
    });
    expect(events).toMatchObject([{ changes: { dueDate: { from: null, to: moment } } }]);
  });

  test.each(bad)("%j is 400", async (given) => {
    const { user, listPublicId } = await start();
    const id = await makeCard(user, listPublicId);
    for (const field of ["dueDate", "startDate"]) {
      const replies = [
        await user.rest.post("/cards", { title: "x", listPublicId, [field]: given }),
        await user.rest.put(`/cards/${id}`, { [field]: given }),
      ];
      for (const { status, body } of replies) {
        expect(status).toBe(400);
        expect(body.issues[0].path).toEqual([field]);
      }
    }
  });
});

test("an invalid date has one issue", async () => {
  const { user, listPublicId } = await start();
  const fault = async (dueDate: unknown) =>
    (await user.rest.post("/cards", { title: "Dated", listPublicId, dueDate })).body.issues;
  const said = { message: "Must be an ISO 8601 date and time with an offset or Z" };
  for (const dueDate of ["", "2026-01-01T25:00:00Z", true]) {
    expect(await fault(dueDate)).toEqual([expect.objectContaining({ ...said, path: ["dueDate"] })]);
  }
});
