import { describe, expect, onTestFinished, test } from "vitest";
import { enqueue } from "../../../src/kernel/jobs/queue.ts";
import { runNext, type Runner } from "../../../src/kernel/jobs/run.ts";
import { runDue, runners } from "../../support/jobs.ts";
import { insertRows } from "../../../src/platform/db/insert-rows.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { fill } from "../../property/rows.ts";
import { useApp } from "../../support/app.ts";
import { as, signedIn } from "../../support/as.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { watch } from "../../outbound/notifications/team.ts";
import { upload } from "../../domain/attachments/files.ts";
import { jobsOf, letter, write } from "./fixtures.ts";
import {
  countDeletions,
  failDeliveries,
  insertCredentials,
  insertDeliveries,
  insertIdempotencyKeys,
} from "./old-rows.ts";
import { statementOf } from "../../support/statement-of.ts";

const app = useApp({ isolated: true });
const day = 24 * 3_600_000;

const daysLater = async (days: number) => {
  app().advance(days * day);
  await runDue(app().deps);
};

async function start() {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const [first = "", second = ""] = board.lists;
  return { workspace, ann: workspace.admin, board, first, second };
}

/** The public ids that a table contains. */
async function existing(table: string, ...ids: string[]): Promise<string[]> {
  const rows = await app().db.read<{ publicId: string }>(
    sql`SELECT "publicId" FROM ${sql.identifier(table)} WHERE "publicId" = ANY (${ids}::text[])`,
  );
  return rows
    .map((row) => row.publicId)
    .toSorted((one, other) => ids.indexOf(one) - ids.indexOf(other));
}

async function counted(text: string, ...values: unknown[]): Promise<number> {
  const [row] = await app().db.read<{ count: bigint }>(
    statementOf(`SELECT count(*) FROM ${text}`, values),
  );
  return Number(row?.count);
}

describe("the trash", () => {
  test("is purged after 30 days; newer rows can be restored", async () => {
    const { ann, board, first, second, workspace } = await start();
    const [old, young, live] = [
      await makeCard(ann, first),
      await makeCard(ann, first),
      await makeCard(ann, first),
    ];
    const { body: checklist } = await ann.rest.post(`/cards/${live}/checklists`, {
      name: "L",
      items: ["a", "b"],
    });
    const { body: comment } = await ann.rest.post(`/cards/${live}/comments`, { comment: "Old" });
    const under = await makeCard(ann, second);
    const other = await makeBoard(workspace);
    await ann.rest.delete(`/cards/${old}`);
    await ann.rest.delete(`/lists/${second}`);
    await ann.rest.delete(`/boards/${other.publicId}`);
    await ann.rest.delete(`/labels/${board.labels[0]}`);
    await ann.rest.delete(`/checklists/items/${checklist.items[0].publicId}`);
    await ann.rest.delete(`/cards/${live}/comments/${comment.publicId}`);
    await daysLater(20);
    await (await signedIn(app(), ann)).rest.delete(`/cards/${young}`);
    await daysLater(9);
    expect(await existing("cards", old, young, live, under)).toEqual([old, young, live, under]);
    await daysLater(2);
    expect(await existing("cards", old, young, live, under)).toEqual([young, live]);
    expect(await existing("lists", ...board.lists)).toEqual([first, board.lists[2]]);
    expect(await existing("boards", board.publicId, other.publicId)).toEqual([board.publicId]);
    expect(await existing("labels", ...board.labels, ...other.labels)).toEqual([]);
    expect(await existing("comments", comment.publicId)).toEqual([]);
    const items = checklist.items.map((item: { publicId: string }) => item.publicId);
    expect(await existing("checklist_items", ...items)).toEqual([items[1]]);
    expect((await (await signedIn(app(), ann)).rest.post(`/cards/${young}/restore`)).status).toBe(
      200,
    );
  });

  test("cannot be restored after 30 days, even before the purge", async () => {
    const { ann, board, first } = await start();
    const card = await makeCard(ann, first);
    await ann.rest.delete(`/cards/${card}`);
    await ann.rest.delete(`/boards/${board.publicId}`);
    app().advance(30 * day + 1);
    const { rest } = await signedIn(app(), ann);
    expect((await rest.post(`/boards/${board.publicId}/restore`)).status).toBe(404);
    expect((await rest.post(`/cards/${card}/restore`)).status).toBe(404);
  });

  test("includes a workspace with all its rows, and no other", async () => {
    const { workspace, ann, board, first } = await start();
    const { workspace: neighbour } = await start();
    await watch(ann, await makeCard(ann, first));
    // An address needs no name server, and the test sends nothing.
    const hook = await ann.rest.post(`/workspaces/${workspace.publicId}/webhooks`, {
      name: "Hook",
      url: "https://8.8.8.8/",
      events: ["*"],
      boardPublicId: board.publicId,
    });
    expect(hook.status).toBe(200);
    const idOf = async (one: string) =>
      (await app().db.reader.workspace.findUniqueOrThrow({ where: { publicId: one } })).id;
    const [gone, stays] = [await idOf(workspace.publicId), await idOf(neighbour.publicId)];
    const rowsOf = async (id: bigint) => {
      const tables = await app().db.read<{ name: string }>(
        sql`SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'workspaceId'`,
      );
      expect(tables.length).toBeGreaterThan(15);
      const counts = tables.map(({ name }) => counted(`"${name}" WHERE "workspaceId" = $1`, id));
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    };
    const before = await rowsOf(stays);
    expect(before).toBeGreaterThan(5);
    await ann.rest.delete(`/workspaces/${workspace.publicId}`);
    await daysLater(31);
    expect(await existing("workspaces", workspace.publicId, neighbour.publicId)).toEqual([
      neighbour.publicId,
    ]);
    expect(await rowsOf(gone)).toBe(0);
    expect(await rowsOf(stays)).toBe(before);
    // Not each of these columns has a foreign key, which costs every write.
    const parents = {
      workspaceId: "workspaces",
      userId: "users",
      createdById: "users",
      eventId: "events",
    };
    for (const [column, parent] of Object.entries(parents)) {
      const tables = await app().db.read<{ name: string }>(
        sql`SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public'
          AND column_name = ${column} AND data_type = 'bigint'`,
      );
      expect(tables.length).toBeGreaterThan(column === "eventId" ? 1 : 10);
      for (const { name } of tables) {
        const isOrphan = `"${column}" IS NOT NULL AND "${column}" NOT IN (SELECT id FROM ${parent})`;
        expect(await counted(`"${name}" WHERE ${isOrphan}`), `${name}.${column}`).toBe(0);
      }
    }
  });

  test("is purged in batches of at most 500 rows", async () => {
    const { ann, board, first } = await start();
    await fill(app(), first, 1_300);
    const batches = await countDeletions(app(), "cards");
    await ann.rest.delete(`/boards/${board.publicId}`);
    await daysLater(31);
    expect(await batches()).toEqual([300, 500, 500]);
    expect(await existing("boards", board.publicId)).toEqual([]);
  });

  test("does not free card numbers", async () => {
    const { ann, first } = await start();
    await makeCard(ann, first);
    await ann.rest.delete(`/cards/${await makeCard(ann, first)}`);
    await daysLater(31);
    const { body } = await (
      await signedIn(app(), ann)
    ).rest.post("/cards", { title: "New", listPublicId: first });
    expect(body.cardNumber).toMatch(/-3$/);
  });

  test("has a card until its files are removed", async () => {
    const { ann, board, first } = await start();
    const card = await makeCard(ann, first);
    const { body: file } = await upload(app(), ann, card, "text");
    await ann.rest.delete(`/boards/${board.publicId}`);
    app().advance(31 * day);
    const remove = () => Promise.reject(new Error("the storage is down"));
    await runDue({ ...app().deps, files: { ...app().deps.files, remove } });
    expect(await existing("cards", card)).toEqual([card]);
    expect(await existing("boards", board.publicId)).toEqual([board.publicId]);
    await daysLater(1);
    expect(await existing("cards", card)).toEqual([]);
    expect(await existing("boards", board.publicId)).toEqual([]);
    expect(await existing("attachments", file.publicId)).toEqual([]);
  });
});

test("live rows do not reference purged ones", async () => {
  const { ann, board, first, second, workspace } = await start();
  const ben = await join(app(), workspace, "member");
  const other = await makeBoard(workspace);
  const cards: string[] = [];
  for (const listPublicId of [first, second, other.lists[0], first]) {
    const fields = { title: "Card", listPublicId, memberPublicIds: [ben.memberPublicId] };
    const { body } = await ann.rest.post("/cards", fields);
    await ann.rest.post(`/cards/${body.publicId}/comments`, { comment: "Hello" });
    cards.push(body.publicId);
  }
  const of = `notifications n JOIN users u ON u.id = n."userId" AND u."publicId" = $1
    WHERE n."cardId" IS NOT NULL AND n."boardId" IS NOT NULL`;
  expect(await counted(of, ben.publicId)).toBeGreaterThanOrEqual(4);
  const dropped = cards.at(-1) ?? "";
  await ann.rest.delete(`/cards/${dropped}`);
  await ann.rest.delete(`/lists/${second}`);
  await ann.rest.delete(`/boards/${other.publicId}`);
  await daysLater(31);
  expect(await existing("cards", dropped)).toEqual([]);
  // References without a foreign key.
  expect(
    await counted(
      `notifications n WHERE "cardId" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM cards c WHERE c.id = n."cardId")`,
    ),
  ).toBe(0);
  expect(
    await counted(
      `notifications n WHERE "boardId" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM boards b WHERE b.id = n."boardId")`,
    ),
  ).toBe(0);
  expect(
    await counted(
      `events e WHERE "isActivity" AND NOT EXISTS (SELECT 1 FROM cards c WHERE c."publicId" = e."cardPublicId")`,
    ),
  ).toBe(0);
  const { rest } = await signedIn(app(), ann);
  expect((await rest.get(`/boards/${board.publicId}`)).body.lists[0].cards).toHaveLength(1);
  expect(await counted(of, ben.publicId)).toBeGreaterThanOrEqual(1);
  expect((await (await signedIn(app(), ben)).rest.get(`/users/me/notifications`)).status).toBe(200);
});

describe("events", () => {
  test("are purged after 90 days, but the activity of a card with the card", async () => {
    const { ann, board, first } = await start();
    const [live, dead] = [await makeCard(ann, first), await makeCard(ann, first)];
    const left = (type: string) =>
      counted(`events WHERE "boardPublicId" = $1 AND type = $2`, board.publicId, type);
    await daysLater(80);
    await (await signedIn(app(), ann)).rest.delete(`/cards/${dead}`);
    await daysLater(9);
    expect(await left("board.created")).toBe(1);
    await daysLater(2);
    expect([await left("board.created"), await left("card.created")]).toEqual([0, 2]);
    await daysLater(25);
    expect([await left("card.created"), await left("card.deleted")]).toEqual([1, 1]);
    await daysLater(60);
    expect([await left("card.created"), await left("card.deleted")]).toEqual([1, 0]);
    const { body } = await (await signedIn(app(), ann)).rest.get(`/cards/${live}/activities`);
    expect(body.items).toHaveLength(1);
  });

  test("tell for 90 days from which call they are, and who did what for as long as the card", async () => {
    const { ann, first, workspace } = await start();
    const card = await makeCard(ann, first);
    const events = async () => {
      const { rest } = await signedIn(app(), ann);
      const { body } = await rest.get(`/workspaces/${workspace.publicId}/audit`);
      return body.items.filter(({ type }: any) => type === "card.created");
    };
    const [recent] = await events();
    expect(recent).toMatchObject({ credential: "session", ip: expect.any(String) });
    await daysLater(91);
    const [old] = await events();
    expect(old).toEqual({ ...recent, credential: null, ip: null, requestId: null });
    const isTraced = `credential IS NOT NULL OR ip IS NOT NULL OR "requestId" IS NOT NULL OR "mutationId" IS NOT NULL`;
    expect(await counted(`events WHERE "cardPublicId" = $1 AND (${isTraced})`, card)).toBe(0);
  });

  test("of cards are the history, which ends after HISTORY_DAYS", async () => {
    const { ann, first } = await start();
    const card = await makeCard(ann, first);
    app().deps.config.HISTORY_DAYS = 400;
    onTestFinished(() => void delete app().deps.config.HISTORY_DAYS);
    await daysLater(399);
    const history = async () =>
      (await (await signedIn(app(), ann)).rest.get(`/cards/${card}/activities`)).body.items;
    expect(await history()).toHaveLength(1);
    await daysLater(2);
    expect(await history()).toEqual([]);
  });

  test("are not purged while a delivery is pending", async () => {
    const { workspace, board } = await start();
    const { id: workspaceId } = await app().db.reader.workspace.findUniqueOrThrow({
      where: { publicId: workspace.publicId },
    });
    await insertDeliveries(app(), board.publicId, "board.created");
    const state = async () => [
      await counted(`events WHERE "boardPublicId" = $1 AND type = 'board.created'`, board.publicId),
      await counted(`deliveries WHERE "workspaceId" = $1`, workspaceId),
    ];
    await daysLater(89);
    expect(await state()).toEqual([1, 2]);
    await daysLater(2);
    expect(await state()).toEqual([1, 1]);
    await failDeliveries(app());
    await daysLater(1);
    expect(await state()).toEqual([0, 1]);
    const isOfNone = `deliveries WHERE "workspaceId" = $1 AND "eventId" IS NULL`;
    expect(await counted(isOfNone, workspaceId)).toBe(1);
  });
});

test("expired rows are purged, and others are not", async () => {
  const { ann } = await start();
  const now = app().deps.clock();
  const [past, future] = [new Date(now.getTime() - 1), new Date(now.getTime() + 40 * day)];
  await insertCredentials(app(), ann.email, "past", past, future);
  await insertCredentials(app(), ann.email, "future", future, future);
  await insertIdempotencyKeys(app(), "x", 1, now);
  await insertRows(app().db.write, "attempt_counts", [
    { id: "past", points: 1, expiresAt: past },
    { id: "future", points: 1, expiresAt: future },
  ]);
  await write(app(), (tx) =>
    enqueue(tx, "mail", { id: "m", to: "ann@example.com", subject: "", text: "" }),
  );
  const left = async () => [
    await counted(`stream_tickets`),
    await counted(`oauth_states`),
    await counted(`password_resets`),
    await counted(`sessions WHERE "userAgent" = 'past' OR "revokedAt" = $1::timestamptz`, past),
    await counted(`refresh_tokens WHERE "tokenHash" LIKE 'past %'`),
    await counted(`idempotency_keys`),
    await counted(`attempt_counts WHERE id IN ('past', 'future')`),
  ];
  expect(await left()).toEqual([2, 2, 4, 2, 1, 1, 2]);
  await daysLater(0.9);
  expect(await left()).toEqual([1, 1, 2, 2, 1, 1, 1]);
  await daysLater(0.2);
  expect(await left()).toEqual([1, 1, 2, 0, 0, 0, 1]);
  expect(
    await counted(`sessions WHERE "userAgent" = 'future' OR "revokedAt" = $1::timestamptz`, future),
  ).toBe(2);
  expect(await jobsOf(app())).toHaveLength(1);
  await daysLater(91);
  expect(await jobsOf(app())).toEqual([]);
});

test("the used tokens of a session are purged after a month, and the valid one is not", async () => {
  const { ann } = await start();
  let { refreshToken } = ann;
  for (let refreshed = 0; refreshed < 3; refreshed++) {
    await daysLater(20);
    const { body } = await as(app()).rest.post("/auth/refresh", { refreshToken });
    ({ refreshToken } = body);
  }
  const tokens = `refresh_tokens t JOIN sessions s ON s.id = t."sessionId" JOIN users u ON u.id = s."userId" WHERE u.email = $1`;
  expect(await counted(tokens, ann.email)).toBe(3);
  expect((await as(app()).rest.post("/auth/refresh", { refreshToken })).status).toBe(200);
});

test("a long purge lets a waiting mail run first, and then continues", async () => {
  const { deps, db } = app();
  await runDue(deps);
  const twoDaysAgo = new Date(deps.clock().getTime() - 2 * day);
  await insertIdempotencyKeys(app(), "old", 1_200, twoDaysAgo);
  app().advance(3_600_000);
  await write(app(), (tx) => enqueue(tx, "mail", letter()));
  // The clock advances with every reading.
  let readings = 0;
  const clock = () => new Date(deps.clock().getTime() + ++readings * 10_000);
  const left = () => db.reader.idempotencyKey.count({ where: { createdAt: twoDaysAgo } });
  let leftThen = 0;
  const mail: Runner = async () => void (leftThen = await left());
  const by = { purge: runners.purge, mail };
  while (await runNext({ ...deps, clock }, by));
  expect(leftThen).toBe(700);
  expect(await left()).toBe(0);
});
