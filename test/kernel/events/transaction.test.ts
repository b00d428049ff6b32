import { afterEach, describe, expect, test } from "vitest";
import { eventsIn, tally } from "../access/membership.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { statementOf } from "../../support/statement-of.ts";

const app = useApp({ isolated: true });
const run = (text: string) => app().db.write(statementOf(text));

/**
 * Lets the database fail the commit of every card that is made, with a SQLSTATE, as long as `when`
 * holds.
 */
async function failCommits(state: string, when = "true") {
  await run(
    `CREATE FUNCTION fail_commit() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN IF ${when} THEN RAISE EXCEPTION 'a test' USING ERRCODE = '${state}'; END IF; RETURN NULL; END $$`,
  );
  await run(
    `CREATE CONSTRAINT TRIGGER fail_commit AFTER INSERT ON cards DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW EXECUTE FUNCTION fail_commit()`,
  );
}

afterEach(() => run("DROP FUNCTION IF EXISTS fail_commit CASCADE"));

async function scene() {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const add = (body: object = {}) =>
    workspace.admin.rest.post("/cards", { title: "Card", listPublicId: board.lists[0], ...body });
  const cards = () =>
    app().db.reader.card.count({
      where: { list: { workspace: { publicId: workspace.publicId } } },
    });
  const events = async () => (await eventsIn(app(), workspace.publicId, "card.created")).length;
  return { workspace, board, add, cards, events };
}

describe("a write and its event", () => {
  test("are both gone when the commit fails", async () => {
    const { add, cards, events } = await scene();
    // 57014: a statement timeout.
    await failCommits("57014");
    const { status, headers, body } = await add();
    expect([status, headers.get("retry-after"), body.issues]).toEqual([
      503,
      "10",
      [{ message: expect.stringContaining("took too long"), code: "timeout" }],
    ]);
    expect([await cards(), await events()]).toEqual([0, 0]);
  });

  test("are there once when a conflict made the transaction run again", async () => {
    const { add, cards, events } = await scene();
    await run("CREATE SEQUENCE commits");
    await failCommits("40001", "nextval('commits') < 3");
    const { status, body } = await add();
    await run("DROP SEQUENCE commits CASCADE");
    expect({ status, number: body.cardNumber.split("-")[1] }).toEqual({ status: 200, number: "1" });
    expect([await cards(), await events()]).toEqual([1, 1]);
  });

  test("are not there when the operation fails after it has begun to write", async () => {
    const { add, cards, events } = await scene();
    expect((await add({ labelPublicIds: ["unknownlabel"] })).status).toBe(404);
    expect(
      (await add({ memberPublicIds: ["unknownmember"], checklists: [{ name: "List" }] })).status,
    ).toBe(404);
    expect([await cards(), await events()]).toEqual([0, 0]);
  });

  test("are there once when a call is sent twice with one Idempotency-Key", async () => {
    const { workspace, board, cards, events } = await scene();
    const send = () =>
      workspace.admin.rest.post(
        "/cards",
        { title: "Once", listPublicId: board.lists[0] },
        { headers: { "Idempotency-Key": "once" } },
      );
    const replies = [await send(), await send()];
    expect(tally(replies)).toEqual({ 200: 2 });
    expect([await cards(), await events()]).toEqual([1, 1]);
  });

  test("are written once each when many write at once", async () => {
    const { add, cards, events } = await scene();
    const replies = await Promise.all(Array.from({ length: 20 }, () => add()));
    expect(tally(replies)).toEqual({ 200: 20 });
    expect([await cards(), await events()]).toEqual([20, 20]);
  });
});
