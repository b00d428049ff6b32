import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { Client } from "./sync/client.ts";
import { differences } from "./sync/differences.ts";
import { shown } from "./sync/lines.ts";
import { makeScene } from "./sync/run.ts";
import { readPatchTables } from "./sync/table.ts";

const app = useApp();

test("a copy with a newer line of a member drops the member from the cards of all boards", async () => {
  const { workspace, users, known } = await makeScene(app());
  const { admin, member } = users;
  const [card = ""] = known.cards;
  await admin.rest.post(`/cards/${card}/members`, { memberPublicId: known.members[0] });
  const tables = await readPatchTables();
  const client = new Client(
    { app: app(), who: admin, workspace: workspace.publicId, hasParts: false },
    tables,
  );
  await client.poll();
  // The copy reads the second board when the member is back, before it applies `member.removed`.
  const second = `/boards/${known.boards[1]}`;
  await admin.rest.put(second, { isArchived: true });
  await admin.rest.put(second, { isArchived: false });
  const root = `/workspaces/${workspace.publicId}`;
  await admin.rest.delete(`${root}/members/${known.members[0]}`);
  const { body } = await admin.rest.post(`${root}/invites`, { role: "member" });
  await member.rest.post("/invites/accept", { inviteCode: body.inviteCode });
  await client.poll();
  expect(differences(shown(client.copy), shown(await client.readAll()))).toEqual([]);
});
