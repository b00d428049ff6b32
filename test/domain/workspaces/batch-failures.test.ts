import { afterEach, expect, test } from "vitest";
import { publicId } from "../../../src/platform/db/public-id.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { statementOf } from "../../support/statement-of.ts";

const app = useApp({ isolated: true });
const run = (text: string) => app().db.write(statementOf(text));

/** Lets the database fail each change of a card to the title "full": its disk is full. */
async function failWrites() {
  await run(`CREATE FUNCTION fail_write() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'a test' USING ERRCODE = '53100'; END $$`);
  await run(`CREATE TRIGGER fail_write BEFORE UPDATE ON cards FOR EACH ROW
    WHEN (NEW.title = 'full') EXECUTE FUNCTION fail_write()`);
}

afterEach(() => run("DROP FUNCTION IF EXISTS fail_write CASCADE"));

async function scene() {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const { lists } = await makeBoard(workspace);
  const cards: string[] = [];
  for (const title of ["A", "B", "C", "D"])
    cards.push(await makeCard(admin, lists[0] ?? "", title));
  const titled = (nth: number, title: string) => ({
    operation: "card.update",
    input: { cardPublicId: cards[nth], title },
  });
  const titles = async () => {
    const { body } = await admin.rest.get(`/lists/${lists[0]}/cards`);
    return body.items.map((card: { title: string }) => card.title);
  };
  const log = async () =>
    (await admin.rest.get(`/workspaces/${workspace.publicId}/events?limit=100`)).body.items;
  const batch = (operations: object[], more: object = {}) =>
    admin.rest.post(`/workspaces/${workspace.publicId}/batch`, { operations, ...more });
  return { admin, cards, titled, titles, log, batch };
}

test.each([{}, { dryRun: true }])(
  "a write that the batch does not wait for names its operation when it fails: %j",
  async (more) => {
    const { cards, titled, titles, log, batch } = await scene();
    await failWrites();
    const before = await log();
    const comment = {
      operation: "comment.create",
      input: { cardPublicId: cards[3], comment: "text" },
    };
    for (const [operations, at] of [
      // The changes of different cards are read together, and sent without a wait.
      [[titled(0, "1"), titled(1, "2"), titled(2, "full"), titled(3, "4")], 2],
      // The last operation fails when the events are sent.
      [[titled(0, "1"), titled(1, "full")], 1],
      // The next operation reads, and gets the failure of the one before.
      [[titled(0, "full"), comment, titled(1, "2")], 0],
    ] as const) {
      expect(await batch([...operations], more)).toMatchObject({
        status: 503,
        body: { failedAt: at, issues: [{ code: "database_unavailable" }] },
      });
    }
    expect(await titles()).toEqual(["A", "B", "C", "D"]);
    expect(await log()).toEqual(before);
  },
);

test("texts that a batch creates and deletes are in no event of it", async () => {
  const { admin, cards, log, batch } = await scene();
  const [cardPublicId = "", other = ""] = cards;
  const [comment, stays, checklist, item, remaining, left] = Array.from({ length: 6 }, () =>
    publicId(),
  );
  const named = { checklistPublicId: checklist };
  const inComment = { cardPublicId, commentPublicId: comment };
  const reply = await batch([
    { operation: "comment.create", input: { cardPublicId, publicId: comment, comment: "secret" } },
    { operation: "comment.create", input: { cardPublicId, publicId: stays, comment: "stays" } },
    { operation: "comment.update", input: { ...inComment, comment: "secret too" } },
    { operation: "checklist.create", input: { cardPublicId, publicId: checklist, name: "secret" } },
    { operation: "checklist.addItem", input: { ...named, publicId: item, title: "secret" } },
    {
      operation: "checklist.create",
      input: { cardPublicId: other, publicId: remaining, name: "remaining" },
    },
    {
      operation: "checklist.addItem",
      input: { checklistPublicId: remaining, publicId: left, title: "secret" },
    },
    { operation: "comment.delete", input: inComment },
    { operation: "checklist.delete", input: named },
    { operation: "checklist.deleteItem", input: { checklistItemPublicId: left } },
  ]);
  expect(reply).toMatchObject({ status: 200 });
  const texts = JSON.stringify(await log());
  expect(texts).not.toContain("secret");
  for (const text of ["stays", "remaining"]) expect(texts).toContain(text);
  const { body } = await admin.rest.get(`/cards/${cardPublicId}/comments`);
  expect(body.items.map((one: { comment: string }) => one.comment)).toEqual(["stays"]);
});
