import { expect, test } from "vitest";
import { runDue } from "../../support/jobs.ts";
import { useApp } from "../../support/app.ts";
import { fill } from "../../property/rows.ts";
import { signedIn } from "../../support/as.ts";
import { assign, makeTeam, notificationsOf, watch } from "./team.ts";
import { makeDue, watchAll } from "./many.ts";
import { sql } from "../../../src/platform/db/sql.ts";

const app = useApp({ isolated: true });
const hour = 3_600_000;

const inHours = (hours: number) =>
  new Date(app().deps.clock().getTime() + hours * hour).toISOString();
const scan = async () => {
  app().advance(10 * 60_000);
  await runDue(app().deps);
};
const dueOf = async (user: { email: string }) =>
  (await notificationsOf(await signedIn(app(), user)))
    .filter(({ type }) => type === "due_soon")
    .map(({ dueDate }) => dueDate);

test("members and watchers of a card are notified once that it is due within a day", async () => {
  const { ann, ben, cleo, card } = await makeTeam(app());
  const dueDate = inHours(30);
  await ann.rest.put(`/cards/${card}`, { dueDate });
  await assign(ann, card, ben);
  await watch(cleo, card);
  await scan();
  expect(await dueOf(ben)).toEqual([]);
  app().advance(6 * hour);
  for (let n = 0; n < 3; n++) await scan();
  expect(await dueOf(ben)).toEqual([dueDate]);
  expect(await dueOf(cleo)).toEqual([dueDate]);
  expect(await dueOf(ann)).toEqual([]);
  expect((await notificationsOf(await signedIn(app(), ben)))[0]).toMatchObject({
    type: "due_soon",
    event: null,
    actor: null,
    card: { publicId: card },
  });
  const moved = inHours(20);
  await (await signedIn(app(), ann)).rest.put(`/cards/${card}`, { dueDate: moved });
  for (let n = 0; n < 2; n++) await scan();
  expect(await dueOf(ben)).toEqual([moved, dueDate]);
});

test("many processes notify once", async () => {
  const { ann, ben, card } = await makeTeam(app());
  await assign(ann, card, ben);
  await ann.rest.put(`/cards/${card}`, { dueDate: inHours(3) });
  app().advance(hour);
  await Promise.all(Array.from({ length: 5 }, () => runDue(app().deps)));
  expect(await dueOf(ben)).toHaveLength(1);
});

test("a complete, archived, deleted or overdue card, or one in such a parent, causes no notification", async () => {
  const { ann, ben, board, list, workspace } = await makeTeam(app());
  const [, second = "", third = ""] = board.lists;
  const { body: other } = await ann.rest.post(`/workspaces/${workspace.publicId}/boards`, {
    name: "Other",
    lists: ["One"],
  });
  const make = async (listPublicId: string, hours = 5) => {
    const memberPublicIds = [ben.memberPublicId];
    const body = { title: "Card", listPublicId, dueDate: inHours(hours), memberPublicIds };
    return `/cards/${(await ann.rest.post("/cards", body)).body.publicId}`;
  };
  await ann.rest.put(await make(list), { isComplete: true });
  await ann.rest.put(await make(list), { isArchived: true });
  await ann.rest.delete(await make(list));
  await make(list, -1);
  await make(list, 26);
  await make(second);
  await ann.rest.delete(`/lists/${second}`);
  await make(third);
  await ann.rest.put(`/lists/${third}`, { isArchived: true });
  await make(other.lists[0].publicId);
  await ann.rest.put(`/boards/${other.publicId}`, { isArchived: true });
  await scan();
  expect(await dueOf(ben)).toEqual([]);
});

test("no notification for a board that the user cannot see, or after an opt-out", async () => {
  const { ann, ben, cleo, board, card } = await makeTeam(app());
  await assign(ann, card, ben);
  await assign(ann, card, cleo);
  await ann.rest.put(`/cards/${card}`, { dueDate: inHours(5) });
  await ann.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  await ann.rest.put(`/boards/${board.publicId}/members/${cleo.memberPublicId}`);
  const neither = { app: false, mail: false };
  await cleo.rest.put("/users/me/preferences", { notifications: { due_soon: neither } });
  await scan();
  const count = await app().db.reader.notification.count({
    where: { type: "due_soon", user: { publicId: { in: [ben.publicId, cleo.publicId] } } },
  });
  expect(count).toBe(0);
});

test("cards of several batches all cause notifications", async () => {
  const { ben, list } = await makeTeam(app());
  await fill(app(), list, 1_200);
  await makeDue(app(), list, inHours(4));
  await watchAll(app(), list, ben);
  await scan();
  const count = await app().db.reader.notification.count({
    where: { user: { publicId: ben.publicId } },
  });
  expect(count).toBe(1_201);
});

test("due cards are found with an index", async () => {
  const plan = await app().db.read<{ "QUERY PLAN": string }>(
    sql`EXPLAIN SELECT id FROM cards c WHERE c."deletedAt" IS NULL AND c."archivedAt" IS NULL AND c."completedAt" IS NULL
      AND c."dueDate" > now() AND c."dueDate" <= now() + interval '1 day' ORDER BY c."dueDate", c.id LIMIT 500`,
  );
  expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain("cards_due");
});
