import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { fill } from "../../transfer/exports/many.ts";
import { send as sendTrello } from "../../transfer/imports/importing.ts";

const app = useApp({ constants: { STORED_PER_DAY: 1 } });

const password = "a password for tests";

test("an account stores a limited amount, with the events of its writes", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const { publicId, lists } = await makeBoard(workspace);
  const [one = "", two = ""] = lists;
  await fill(app(), one, { cards: 200 });
  const other = await join(app(), workspace, "admin");
  const card = await makeCard(other, two);
  const statuses: number[] = [];
  for (let nth = 0; nth < 20 && !statuses.includes(429); nth++) {
    const [from, to] = nth % 2 === 0 ? [one, two] : [two, one];
    const move = await admin.rest.post(`/lists/${from}/move-cards`, { targetListPublicId: to });
    statuses.push(move.status);
  }
  expect(statuses.length).toBeGreaterThan(2);
  expect(statuses.slice(0, -1)).toEqual(statuses.slice(0, -1).map(() => 200));
  const operations = [{ operation: "card.delete", input: { cardPublicId: card } }];
  const refused = [
    await admin.rest.put(`/cards/${card}`, { title: "Refused" }),
    await admin.rest.post(`/workspaces/${workspace.publicId}/batch`, { operations }),
    await admin.rest.post("/workspaces", { name: "Refused" }),
    await sendTrello(app(), workspace, { id: "b", name: "Refused" }),
  ];
  for (const reply of refused) {
    expect(reply).toMatchObject({
      status: 429,
      body: { issues: [{ message: "Rate limit exceeded: 1048576 bytes in 86400 s." }] },
    });
  }
  // Reads go on, other accounts write, and the account secures itself.
  expect((await admin.rest.get(`/boards/${publicId}`)).status).toBe(200);
  expect((await other.rest.put(`/cards/${card}`, { title: "Written" })).status).toBe(200);
  const change = { currentPassword: password, newPassword: `${password} 2` };
  expect((await admin.rest.put("/auth/password", change)).status).toBe(200);
  expect((await admin.rest.post("/auth/logout")).status).toBe(200);
});
