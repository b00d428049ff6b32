import { expect, onTestFinished, test } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import type { EventConsumer } from "../../../src/kernel/events/consumers.ts";
import { startApp, type App } from "../../support/app.ts";
import { makeBoard, makeWorkspace, type Board, type Workspace } from "../../support/make.ts";
import { addConsumer } from "./consumer.ts";

/** Adds a card at a service with one more consumer. */
async function addCard(
  { deps }: App,
  { admin }: Workspace,
  { lists }: Board,
  consumer: EventConsumer,
): Promise<Response> {
  const { fetch } = createApp({ ...deps, consumers: [...deps.consumers, consumer] });
  return fetch(
    new Request("http://service/api/v1/cards", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${admin.token}` },
      body: JSON.stringify({ title: "New", listPublicId: lists[0] }),
    }),
  );
}

test("a new consumer writes its rows in the statement that writes the events", async () => {
  const app = await startApp();
  onTestFinished(() => app.close());
  const consumer = await addConsumer(app);
  const workspace = await makeWorkspace(app);
  const board = await makeBoard(workspace);
  const response = await addCard(app, workspace, board, consumer);
  expect(response.status).toBe(200);
  const rows = await app.db.read(
    sql`SELECT c.type, c.xmin::text = e.xmin::text AND c.cmin::text = e.cmin::text AS "isSameStatement"
     FROM consumed c JOIN events e ON e.id = c."eventId"`,
  );
  expect(rows).toEqual([{ type: "card.created", isSameStatement: true }]);
});

test("a write whose events could not be sent is undone", async () => {
  const app = await startApp();
  onTestFinished(() => app.close());
  const workspace = await makeWorkspace(app);
  const board = await makeBoard(workspace);
  const { status } = await addCard(app, workspace, board, () => {
    throw new Error("a defect of a consumer");
  });
  expect(status).toBe(500);
  expect(app.errors).toEqual([expect.stringContaining("a defect of a consumer")]);
  const { body } = await workspace.admin.rest.get(`/boards/${board.publicId}/cards`);
  expect(body.items).toEqual([]);
});
