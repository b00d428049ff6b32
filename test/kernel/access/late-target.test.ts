import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { publicId } from "../../../src/platform/db/public-id.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { openLock, waitForLocks } from "../events/open-lock.ts";
import { eventsIn } from "./membership.ts";

const app = useApp({ isolated: true });

// Every statement goes through the driver.
const { prototype } = pg.Client;
const query = Reflect.get(prototype, "query");
afterEach(() => Reflect.set(prototype, "query", query));

/** Runs `meanwhile` when the next search for a target has been answered, before its call goes on. */
function afterNextSearch(meanwhile: () => Promise<unknown>) {
  Reflect.set(prototype, "query", function (this: pg.Client, ...values: unknown[]) {
    const [statement, , answered] = values;
    const isSearch =
      statement instanceof pg.Query &&
      String(Reflect.get(statement, "text")).includes("FOR NO KEY UPDATE");
    if (isSearch && typeof answered === "function") {
      Reflect.set(prototype, "query", query);
      values[2] = (...answer: unknown[]) =>
        void meanwhile().then(() => Reflect.apply(answered, undefined, answer));
    }
    return Reflect.apply(query, this, values);
  });
}

/** The codes of the errors that the database answers from now on. */
function noteErrors(): string[] {
  const codes: string[] = [];
  Reflect.set(prototype, "query", function (this: pg.Client, ...values: unknown[]) {
    const [, , answered] = values;
    if (typeof answered === "function")
      values[2] = (...answer: unknown[]) => {
        const [error] = answer;
        if (error instanceof pg.DatabaseError) codes.push(error.code ?? "");
        Reflect.apply(answered, undefined, answer);
      };
    return Reflect.apply(query, this, values);
  });
  return codes;
}

test("a change of a card that appears after the first search reads what belongs to it", async () => {
  const workspace = await makeWorkspace(app());
  const { lists } = await makeBoard(workspace);
  const { rest } = workspace.admin;
  const changes = {
    "card.updated": (id: string) => rest.put(`/cards/${id}`, { title: "After" }),
    "comment.created": (id: string) => rest.post(`/cards/${id}/comments`, { comment: "After" }),
  };
  for (const [type, change] of Object.entries(changes)) {
    const id = publicId();
    const card = { publicId: id, title: "Late", listPublicId: lists[0] };
    afterNextSearch(() => rest.post("/cards", card));
    const { status } = await change(id);
    expect(status, type).toBe(200);
    const [event] = await eventsIn(app(), workspace.publicId, type);
    expect(event?.data, type).toMatchObject({ card: { listPublicId: lists[0] } });
  }
});

test("a call that holds a list does not wait for the card that appears, but runs again", async () => {
  const workspace = await makeWorkspace(app());
  const { lists } = await makeBoard(workspace);
  const [to = "", from = ""] = lists;
  const { rest } = workspace.admin;
  const other = await join(app(), workspace, "admin");
  const card = await makeCard(workspace.admin, from);
  await rest.delete(`/cards/${card}`);
  const release = await openLock(app(), "lists", to);
  const codes = noteErrors();
  const late = rest.put(`/cards/${card}`, { listPublicId: to, title: "Late" });
  await waitForLocks(app(), 1);
  expect((await rest.post(`/cards/${card}/restore`)).status).toBe(200);
  // This one holds the card, and waits for the list behind the late call.
  const moved = other.rest.put(`/cards/${card}`, { listPublicId: to });
  await waitForLocks(app(), 2);
  await release();
  expect(await late).toMatchObject({ status: 200, body: { title: "Late" } });
  expect((await moved).status).toBe(200);
  // The lock of the card is not available; the statements after it are not run.
  expect(codes.filter((code) => code !== "25P02")).toEqual(["55P03"]);
});
