import { expect, test } from "vitest";
import { openLock } from "../../kernel/events/open-lock.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

test("a batch does not lock a card of another workspace", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const other = await makeBoard(await makeWorkspace(app(), admin));
  const card = await makeCard(admin, other.lists[0] ?? "");
  const release = await openLock(app(), "cards", card);
  const operations = [
    { operation: "card.update", input: { cardPublicId: card, title: "New" } },
    { operation: "card.addLabel", input: { cardPublicId: card, labelPublicId: other.labels[0] } },
  ];
  for (const operation of operations) {
    const path = `/workspaces/${workspace.publicId}/batch`;
    const reply = await admin.rest.post(path, { operations: [operation] });
    expect(reply).toMatchObject({ status: 400, body: { issues: [{ code: "other_workspace" }] } });
  }
  await release();
});
