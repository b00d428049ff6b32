import { expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { createApp } from "../../../src/app/http-application.ts";
import { apisOf, kindOf, operations, send, writes, type Input } from "./call.ts";
import { makeUser, putMember } from "./estate.ts";
import { inputs } from "./inputs.ts";
import { removeMember, setOverride } from "./membership.ts";
import { useWorld } from "./world.ts";
import type { Operation } from "../../../src/contract/policy.ts";

const world = useWorld();

/** They write nothing: a test event is sent, and the board is in its workspace already. */
const writeNothing: ReadonlySet<Operation> = new Set(["webhook.test", "board.move"]);

/** Writes on what belongs to a workspace. */
const onWorkspaces = operations.filter(
  (name) => writes(name) && kindOf(name) !== undefined && !writeNothing.has(name),
);

/** Calls an operation as a new admin; `before` runs before each transaction, with its number. */
async function call(
  operation: Operation,
  before: (nth: number, memberPublicId: string) => Promise<unknown>,
  more: Input = {},
) {
  const { app, estate } = world();
  const user = await makeUser(app, "Leaving");
  const { publicId } = await putMember(estate, user, "admin");
  const target = await inputs[operation](world(), user);
  let count = 0;
  const { db } = app.deps;
  const transact: typeof db.transact = async (run) => {
    await before(++count, publicId);
    return db.transact(run);
  };
  const slow = createApp({ ...app.deps, db: { ...db, transact } });
  const fetch = async (request: Request) => slow.fetch(request);
  const [api] = apisOf(operation);
  const input = { ...target.input, ...more };
  const { status, text } = await send({ ...app, fetch }, api, operation, input, user.token);
  await app.db.write(sql`UPDATE members SET status = 'removed' WHERE "publicId" = ${publicId}`);
  await target.undo?.();
  return { status, text, count };
}

test.each(onWorkspaces)(
  "%s is refused when its caller is removed before its last transaction",
  async (operation) => {
    const made = await call(operation, async () => undefined);
    expect(made.status, made.text).toBe(200);
    expect(made.count).toBeGreaterThan(0);
    const { app } = world();
    const refused = await call(operation, async (nth, memberPublicId) => {
      if (nth === made.count) await removeMember(app, memberPublicId);
    });
    expect(refused.status, refused.text).toBe(403);
  },
);

test("card.duplicate copies comments only while its caller may view them", async () => {
  const { app } = world();
  const more = { withComments: true, withAttachments: true };
  const made = await call("card.duplicate", async () => undefined, more);
  expect([made.status, made.count]).toEqual([200, 3]);
  const take = (nth: number, memberPublicId: string) =>
    setOverride(app, memberPublicId, "comment:view", nth < 3);
  const refused = await call("card.duplicate", take, more);
  expect(refused.status, refused.text).toBe(403);
});
