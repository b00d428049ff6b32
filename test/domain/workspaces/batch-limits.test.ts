import { expect, test } from "vitest";
import { publicId } from "../../../src/platform/db/public-id.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

const start = async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const card = await makeCard(workspace.admin, board.lists[0] ?? "");
  return { workspace, board, card, path: `/workspaces/${workspace.publicId}/batch` };
};

const refused = (failedAt?: unknown) => ({
  status: 409,
  body: {
    issues: [{ code: "limit_exceeded" }],
    ...(failedAt === undefined ? {} : { failedAt }),
  },
});

test("the results of a batch have at most 8 MiB, also with whole resources", async () => {
  const { workspace, card, path } = await start();
  const { rest } = workspace.admin;
  const items = Array.from({ length: 500 }, () => "x".repeat(500));
  const { body } = await rest.post(`/cards/${card}/checklists`, { name: "List", items });
  const rename = {
    operation: "checklist.update",
    input: { checklistPublicId: body.publicId, name: "Other" },
  };
  const operations = Array.from({ length: 60 }, () => rename);
  for (const dryRun of [false, true]) {
    const reply = await rest.post(path, { operations, dryRun });
    expect(reply).toMatchObject(refused(expect.any(Number)));
  }
  const { body: read } = await rest.get(`/cards/${card}`);
  expect(read.checklists[0].name).toBe("List");
});

test("the operations of a batch name at most 5,000 ids", async () => {
  const { workspace, card, path } = await start();
  const labelPublicIds = Array.from({ length: 5_001 }, () => publicId());
  const operations = [{ operation: "card.update", input: { cardPublicId: card, labelPublicIds } }];
  expect(await workspace.admin.rest.post(path, { operations })).toMatchObject(refused());
});

test("operations that the member's role does not allow lock nothing", async () => {
  const { workspace, card, path } = await start();
  const guest = await join(app(), workspace, "guest");
  const operations = ["nowhere00000", card].map((cardPublicId) => ({
    operation: "card.addLabel",
    input: { cardPublicId, labelPublicId: "nowhere00000" },
  }));
  const reply = await app().db.transact(async (_, query) => {
    await query(sql`SELECT 1 FROM cards WHERE "publicId" = ${card} FOR UPDATE`);
    return guest.rest.post(path, { operations });
  });
  expect(reply).toMatchObject({ status: 404, body: { failedAt: 0 } });
});
