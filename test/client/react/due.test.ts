import { expect, test } from "vitest";
import { filterBoard } from "../../../src/client/store/index.ts";
import { dueTrees } from "../../../src/contract/filter/due.ts";
import { useApp } from "../../support/app.ts";
import { readBoard } from "../../support/board.ts";
import { makeWorkspace } from "../../support/make.ts";

const app = useApp();
const hour = 60 * 60 * 1000;
const dues = ["overdue", "today", "tomorrow", "week", "month", "none"] as const;

type Any = any;

/** The ids of the cards of a board. */
const ids = ({ lists }: Any) =>
  lists.flatMap(({ cards }: Any) => cards.map(({ publicId }: Any) => publicId)).toSorted();

test.each([
  ["UTC", "2042-06-05T12:00:00Z", 1],
  ["Asia/Tokyo", "2042-12-31T16:30:00Z", 0],
  ["Pacific/Honolulu", "2042-03-01T05:00:00Z", 3],
  // Clocks change in these weeks.
  ["Europe/Berlin", "2043-03-28T23:30:00Z", 0],
  ["America/New_York", "2043-11-01T12:00:00Z", 6],
])(
  "the filter that `due` stands for selects what the service selects, in %s at %s",
  async (zone, at, first) => {
    app().advance(Date.parse(at) - app().deps.clock().getTime());
    const { admin, publicId } = await makeWorkspace(app());
    await admin.rest.put(`/workspaces/${publicId}`, { timeZone: zone, weekStartDay: first });
    const { body: board } = await admin.rest.post(`/workspaces/${publicId}/boards`, {
      name: "Plan",
      lists: ["One"],
    });
    const listPublicId = board.lists[0].publicId;
    const now = app().deps.clock().getTime();
    const moments = Array.from({ length: 40 }, (_, nth) => now + (nth - 20) * 11.3 * hour);
    const days = [-40, -9, 9, 40].map((day) => now + day * 24 * hour);
    for (const moment of [...moments, ...days]) {
      const dueDate = new Date(moment).toISOString();
      const { body } = await admin.rest.post("/cards", { title: dueDate, dueDate, listPublicId });
      if (body.publicId < "9")
        await admin.rest.put(`/cards/${body.publicId}`, { isComplete: true });
    }
    await admin.rest.post("/cards", { title: "never", listPublicId });
    const all = await readBoard(admin, board.publicId);
    for (const due of dues) {
      const { body } = await admin.rest.get(`/boards/${board.publicId}?due=${due}`);
      const options = { timeZone: zone, weekStartDay: first, now };
      const shown = ids(filterBoard(all, dueTrees[due], options));
      expect([due, shown]).toEqual([due, ids(body)]);
      expect(shown.length).toBeGreaterThan(0);
    }
  },
);
