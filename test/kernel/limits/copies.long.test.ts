import { expect, test } from "vitest";
import { maxCopied } from "../../../src/kernel/events/copied-rows.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { fill } from "../../transfer/exports/many.ts";

const app = useApp({ constants: { CACHE_MB: 0 } });

const items = 500;

test("one call copies a limited number of rows", async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  await fill(app(), board.lists[0] ?? "", { cards: maxCopied / items, items });
  const path = `/workspaces/${workspace.publicId}/boards`;
  const body = { name: "Copy", sourceBoardPublicId: board.publicId };
  expect(await workspace.admin.rest.post(path, body)).toMatchObject({
    status: 409,
    body: { issues: [{ code: "limit_exceeded", message: "A call can copy at most 200000 rows." }] },
  });
});
