import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { publicId } from "../../../src/platform/db/public-id.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
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
