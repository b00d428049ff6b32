import { expect, onTestFinished, test } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { startApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { addConsumer } from "./consumer.ts";

test("a new consumer writes its rows in the statement that writes the events", async () => {
  const app = await startApp();
  onTestFinished(() => app.close());
  const consumer = await addConsumer(app);
  const workspace = await makeWorkspace(app);
  const board = await makeBoard(workspace);
  const { fetch } = createApp({ ...app.deps, consumers: [...app.deps.consumers, consumer] });
  const response = await fetch(
    new Request("http://service/api/v1/cards", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${workspace.admin.token}`,
      },
      body: JSON.stringify({ title: "New", listPublicId: board.lists[0] }),
    }),
  );
  expect(response.status).toBe(200);
  const rows = await app.db.read(
    sql`SELECT c.type, c.xmin::text = e.xmin::text AND c.cmin::text = e.cmin::text AS "isSameStatement"
     FROM consumed c JOIN events e ON e.id = c."eventId"`,
  );
  expect(rows).toEqual([{ type: "card.created", isSameStatement: true }]);
});
