import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { freshDatabase } from "../support/database.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { clientOf, settle } from "./service-client.ts";
import { startBuilt } from "./service-process.ts";
import { waiting } from "./waiting.ts";

test("a call with a key, interrupted by kill -9 and repeated at once, runs exactly once", async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const dataDir = await temporaryDirectory();
  const env = { DATABASE_URL: database.url, LOG_LEVEL: "error" };
  let service = await startBuilt(dataDir, env);
  const { token, board } = await settle(service.url);
  const create = () =>
    fetch(`${service.url}/api/v1/lists`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        "Idempotency-Key": "once",
      },
      body: JSON.stringify({ name: "Once", boardPublicId: board }),
    });

  // The call waits inside its transaction for the row of its board.
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query(`SELECT 1 FROM boards WHERE "publicId" = $1 FOR UPDATE`, [board]);
  const interrupted = create().then(
    ({ status }) => status,
    () => "broken",
  );
  await waiting(holder);
  service.kill();
  expect(await interrupted).toBe("broken");
  await holder.end();

  service = await startBuilt(dataDir, env);
  const repeated = await create();
  expect([repeated.status, repeated.headers.get("idempotency-replayed")]).toEqual([200, null]);
  const again = await create();
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(await again.json()).toEqual(await repeated.json());
  const { body } = await clientOf(() => service.url, token)("GET", `/boards/${board}`);
  expect(body.lists.filter(({ name }: { name: string }) => name === "Once")).toHaveLength(1);
});

test("kill -9 during a call that has claimed its key frees the key at once", async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const dataDir = await temporaryDirectory();
  const env = { DATABASE_URL: database.url, LOG_LEVEL: "error" };
  let service = await startBuilt(dataDir, env);
  const { token, lists } = await settle(service.url);
  const call = clientOf(() => service.url, token);
  const listPublicId = lists[0] ?? "";
  const { body: card } = await call("POST", "/cards", { title: "Card", listPublicId });
  const upload = () =>
    fetch(`${service.url}/api/v1/cards/${card.publicId}/attachments?filename=a.txt`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/octet-stream",
        "Idempotency-Key": "once",
      },
      body: "text",
    });

  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query(`SELECT 1 FROM cards WHERE "publicId" = $1 FOR UPDATE`, [card.publicId]);
  const interrupted = upload().then(
    ({ status }) => status,
    () => "broken",
  );
  await waiting(holder);
  const claims = `SELECT 1 FROM idempotency_keys WHERE response IS NULL AND "lockedBy" IS NOT NULL`;
  expect((await holder.query(claims)).rows).toHaveLength(1);
  service.kill();
  expect(await interrupted).toBe("broken");
  await holder.end();

  service = await startBuilt(dataDir, env);
  const repeated = await upload();
  expect([repeated.status, repeated.headers.get("idempotency-replayed")]).toEqual([200, null]);
  const again = await upload();
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(await again.json()).toEqual(await repeated.json());
});
