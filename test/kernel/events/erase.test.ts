import { expect, test } from "vitest";
import { deliverDue } from "../../support/deliveries.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { upload } from "../../domain/attachments/files.ts";
import { useApp } from "../../support/app.ts";
import { runDue } from "../../support/jobs.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { startReceiver } from "../../support/receiver.ts";

const app = useApp({
  isolated: true,
  env: { WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8" },
});
const day = 24 * 3_600_000;

/** The tables of the database in which any column of any row contains a text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await app().db.read<{ name: string }>(
    sql`SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await app().db.read(
        sql`SELECT 1 FROM ${sql.identifier(name)} t WHERE strpos(to_jsonb(t)::text, ${text}) > 0`,
      );
      return rows.length > 0 ? [name] : [];
    }),
  );
  return found.flat();
}

async function scene() {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const board = await makeBoard(workspace);
  const [list = ""] = board.lists;
  const card = await makeCard(workspace.admin, list, "Plain");
  return { workspace, rest, board, list, card };
}

test("the text of a deleted comment is nowhere in the database; the history stays", async () => {
  const receiver = await startReceiver();
  receiver.response(({ body }) => ({ body }));
  try {
    const { workspace, rest, card } = await scene();
    const { memberPublicId } = await join(app(), workspace, "member");
    await rest.post(`/workspaces/${workspace.publicId}/webhooks`, {
      name: "Echo",
      url: receiver.url,
      events: ["comment.*"],
    });
    const path = `/cards/${card}/comments`;
    const comment = { comment: `Regretted1 @[A](${memberPublicId})` };
    const once = { headers: { "Idempotency-Key": "a comment" } };
    const { body } = await rest.post(path, comment, once);
    await rest.put(`${path}/${body.publicId}`, { comment: "Regretted2" });
    await deliverDue(app().deps);
    const stored = ["comments", "delivery_attempts", "events", "notifications"];
    expect((await tablesWith("Regretted")).toSorted()).toEqual(stored);
    expect((await rest.delete(`${path}/${body.publicId}`)).status).toBe(200);
    expect(await tablesWith("Regretted")).toEqual([]);
    const retried = await rest.post(path, comment, once);
    expect(retried.status).toBe(404);
    const { body: history } = await rest.get(`/cards/${card}/activities`);
    expect(history.items.map(({ type }: { type: string }) => type)).toEqual([
      "comment.deleted",
      "comment.updated",
      "comment.created",
      "card.created",
    ]);
    expect(history.items[2]).toMatchObject({
      actor: { name: "Admin" },
      data: { comment: { publicId: body.publicId, comment: "" }, card: { title: "Plain" } },
    });
  } finally {
    await receiver.close();
  }
});

test("the names of deleted attachments, checklists and items are nowhere in the database", async () => {
  const { workspace, rest, card } = await scene();
  const file = { filename: "Mistaken.txt" };
  const { body: attachment } = await upload(app(), workspace.admin, card, "bytes", file);
  const checklists = `/cards/${card}/checklists`;
  const { body: checklist } = await rest.post(checklists, {
    name: "Stays",
    items: ["Mistaken item", "Other item"],
  });
  const [item, other] = checklist.items;
  await rest.put(`/checklists/items/${item.publicId}`, { title: "Mistaken title" });
  const { body: second } = await rest.post(checklists, {
    name: "Mistaken list",
    items: ["Mistaken part"],
  });
  await rest.put(`/checklists/items/${second.items[0].publicId}`, { completed: true });
  expect(await tablesWith("Mistaken")).toEqual(
    expect.arrayContaining(["attachments", "checklist_items", "checklists", "events"]),
  );
  await rest.delete(`/attachments/${attachment.publicId}`);
  await rest.delete(`/checklists/items/${item.publicId}`);
  await rest.delete(`/checklists/${second.publicId}`);
  expect(await tablesWith("Mistaken")).toEqual([]);
  const { body } = await rest.get(`/cards/${card}`);
  expect(body.checklists).toMatchObject([{ name: "Stays", items: [{ title: other.title }] }]);
  const { body: history } = await rest.get(`/cards/${card}/activities`);
  expect(JSON.stringify(history)).toContain("Other item");
});

test("the texts of purged cards, lists and boards are nowhere in the database", async () => {
  const { workspace, rest, board, list, card } = await scene();
  await rest.put(`/cards/${card}`, { title: "Discarded card", description: "Discarded text" });
  const { body: late } = await rest.post("/lists", {
    name: "Discarded list",
    boardPublicId: board.publicId,
  });
  await makeCard(workspace.admin, late.publicId, "Discarded with its list");
  const gone = await makeBoard(workspace, { lists: ["Discarded too"] });
  await rest.put(`/boards/${gone.publicId}`, { name: "Discarded board" });
  await rest.put(`/labels/${gone.labels[0]}`, { name: "Discarded", colourCode: "#1f2e3d" });
  await rest.delete(`/cards/${card}`);
  await rest.delete(`/lists/${late.publicId}`);
  await rest.delete(`/boards/${gone.publicId}`);
  const stored = await makeCard(workspace.admin, list, "Stored");
  app().advance(31 * day);
  await runDue(app().deps);
  expect(await tablesWith("Discarded")).toEqual([]);
  expect(await tablesWith(stored)).toContain("events");
});
