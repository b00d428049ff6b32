import { decodeJwt } from "jose";
import { beforeAll, expect, test } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { apisOf, kindOf, operations, send, writes, type Input } from "./call.ts";
import { makeUser, putMember } from "./fixtures.ts";
import { inputs } from "./inputs.ts";
import { removeMember, setOverride } from "./membership.ts";
import { useWorld } from "./world.ts";
import { revokeSession } from "../../support/state.ts";
import { ruleOf, type Operation } from "../../../src/contract/policy.ts";

const world = useWorld();

type Before = (nth: number, who: { member: string; token: string }) => Promise<unknown>;

/** What runs before the next transaction of a call. */
let interrupt: () => Promise<unknown> = async () => undefined;
/** The service, whose transactions are interrupted. */
let slow: ReturnType<typeof createApp>;

beforeAll(() => {
  const { deps } = world().app;
  const transact: typeof deps.db.transact = async (run) => {
    await interrupt();
    return deps.db.transact(run);
  };
  slow = createApp({ ...deps, db: { ...deps.db, transact } });
});

/** They write nothing: an event is sent, the board is in its workspace already, a file is read. */
const writeNothing: ReadonlySet<Operation> = new Set([
  "webhook.test",
  "board.move",
  "import.csvPreview",
]);

/** Writes on what belongs to a workspace. */
const onWorkspaces = operations.filter(
  (name) => writes(name) && kindOf(name) !== undefined && !writeNothing.has(name),
);

/** Calls an operation as a new admin; `before` runs before each transaction, with its number. */
async function call(operation: Operation, before: Before, more: Input = {}) {
  const { app, fixtures } = world();
  const user = await makeUser(app, "Leaving");
  const { publicId } = await putMember(fixtures, user, "admin");
  const target = await inputs[operation](world(), user);
  const token = target.token ?? user.token;
  let count = 0;
  interrupt = () => before(++count, { member: publicId, token });
  const fetch = async (request: Request) => slow.fetch(request);
  const [api] = apisOf(operation);
  const input = { ...target.input, ...more };
  const { status, text } = await send({ ...app, fetch }, api, operation, input, token);
  await removeMember(app, publicId);
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
  const more = { withComments: true };
  const made = await call("card.duplicate", async () => undefined, more);
  expect([made.status, made.count]).toEqual([200, 1]);
  const take = (_: number, { member }: { member: string }) =>
    setOverride(app, member, "comment:view", false);
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
      if (nth === made.count) await revokeSession(app, String(sid));
    });
    // The last transaction of this one takes the credential that started the connection.
    const expected = operation === "integration.complete" ? 400 : 401;
    expect([made.count > 0, refused.status], refused.text).toEqual([true, expected]);
  },
);
