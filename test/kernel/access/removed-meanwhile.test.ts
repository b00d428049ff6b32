import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { createApp } from "../../../src/app/http-application.ts";
import { apisOf, kindOf, operations, send, writes, type Input } from "./call.ts";
import { makeUser, putMember } from "./estate.ts";
import { inputs } from "./inputs.ts";
import { removeMember, setOverride } from "./membership.ts";
import { useWorld } from "./world.ts";
import { ruleOf, type Operation } from "../../../src/contract/policy.ts";

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
  before: (nth: number, who: { member: string; token: string }) => Promise<unknown>,
  more: Input = {},
) {
  const { app, estate } = world();
  const user = await makeUser(app, "Leaving");
  const { publicId } = await putMember(estate, user, "admin");
  const target = await inputs[operation](world(), user);
  const token = target.token ?? user.token;
  let count = 0;
  const { db } = app.deps;
  const transact: typeof db.transact = async (run) => {
    await before(++count, { member: publicId, token });
    return db.transact(run);
  };
  const slow = createApp({ ...app.deps, db: { ...db, transact } });
  const fetch = async (request: Request) => slow.fetch(request);
  const [api] = apisOf(operation);
  const input = { ...target.input, ...more };
  const { status, text } = await send({ ...app, fetch }, api, operation, input, token);
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
    const refused = await call(operation, async (nth, { member }) => {
      if (nth === made.count) await removeMember(app, member);
    });
    expect(refused.status, refused.text).toBe(403);
  },
);

test("card.duplicate copies comments only while its caller may view them", async () => {
  const { app } = world();
  const more = { withComments: true, withAttachments: true };
  const made = await call("card.duplicate", async () => undefined, more);
  expect([made.status, made.count]).toEqual([200, 3]);
  const take = (nth: number, { member }: { member: string }) =>
    setOverride(app, member, "comment:view", nth < 3);
  const refused = await call("card.duplicate", take, more);
  expect(refused.status, refused.text).toBe(403);
});

/** They require the password, which the holder of a session that was taken does not know. */
const withPassword: ReadonlySet<Operation> = new Set(["auth.changePassword", "user.delete"]);

/** Writes on an account. */
const onAccounts = operations.filter(
  (name) => writes(name) && ruleOf(name).on === "self" && !withPassword.has(name),
);

test.each(onAccounts)(
  "%s is refused when its session is revoked before its last transaction",
  async (operation) => {
    const made = await call(operation, async () => undefined);
    expect(made.status, made.text).toBe(200);
    const { app } = world();
    const refused = await call(operation, async (nth, { token }) => {
      const { sid } = decodeJwt(token);
      if (nth === made.count)
        await app.db.write(
          sql`UPDATE sessions SET "revokedAt" = now() WHERE "publicId" = ${String(sid)}`,
        );
    });
    // The last transaction of this one takes the credential that started the connection.
    const expected = operation === "integration.complete" ? 400 : 401;
    expect([made.count > 0, refused.status], refused.text).toEqual([true, expected]);
  },
);
