import { afterEach, describe, expect, test } from "vitest";
import { claimFor, isAccountWaiting, type ClaimedJob } from "../../../src/kernel/jobs/claim.ts";
import { isLong, jobKinds } from "../../../src/kernel/jobs/kinds.ts";
import { end, enqueue, requeue } from "../../../src/kernel/jobs/queue.ts";
import { useApp } from "../../support/app.ts";
import { makeUser, makeWorkspace, type User } from "../../support/make.ts";
import { rowsOfStatement } from "../../support/rows-read.ts";
import { deleteJobs } from "../../support/state.ts";
import { write } from "./fixtures.ts";
import { insertImports } from "./old-rows.ts";

const app = useApp({ isolated: true });
afterEach(() => deleteJobs(app()));

const kinds = Object.keys(jobKinds).filter(isLong);
const due = () => ({ kinds, now: app().deps.clock() });
const claim = claimFor(40);
const claimNext = () => claim(app().db.write, due());

/** Queues an import of a workspace under a name. */
const queueImport = (workspaceId: bigint, uniqueKey: string) =>
  write(app(), (tx) => enqueue(tx, "import", { publicId: uniqueKey }, { workspaceId, uniqueKey }));

/** The ids of new workspaces that a user creates. */
async function workspacesOf(user: User, count: number): Promise<bigint[]> {
  const ids: bigint[] = [];
  for (let nth = 0; nth < count; nth++) {
    const { publicId } = await makeWorkspace(app(), user);
    ids.push((await app().db.reader.workspace.findUniqueOrThrow({ where: { publicId } })).id);
  }
  return ids;
}

/** Claims and completes jobs; returns their names in this order. */
async function runInOrder(count: number): Promise<string[]> {
  const order: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    const job = await claimNext();
    if (job === null) break;
    order.push(nameOf(job));
    await end(app().db.write, job, "completed", app().deps.clock());
    app().advance(1);
  }
  return order;
}

const nameOf = ({ payload }: Pick<ClaimedJob, "payload">) =>
  (payload as { publicId: string }).publicId;

describe("long jobs", () => {
  test("of one account in many workspaces have one turn of an account", async () => {
    const [many, other] = [await makeUser(app()), await makeUser(app())];
    for (const id of await workspacesOf(many, 12)) await queueImport(id, `many ${id}`);
    for (const id of await workspacesOf(other, 3)) await queueImport(id, `other ${id}`);
    const order = (await runInOrder(15)).map((name) => name.split(" ")[0]);
    expect(order.slice(0, 6).toSorted()).toEqual([
      "many",
      "many",
      "many",
      "other",
      "other",
      "other",
    ]);
    expect(order).toHaveLength(15);
  });

  test("of the workspaces of an account take turns", async () => {
    const [one = 0n, two = 0n] = await workspacesOf(await makeUser(app()), 2);
    for (const nth of [1, 2, 3]) await queueImport(one, `one ${nth}`);
    await queueImport(two, "two 1");
    expect(await runInOrder(4)).toEqual(["one 1", "two 1", "one 2", "one 3"]);
  });

  test("of an account that waits for its source again and again get no further turn", async () => {
    const [many, other] = [await makeUser(app()), await makeUser(app())];
    const [busy = 0n] = await workspacesOf(many, 1);
    const [quiet = 0n] = await workspacesOf(other, 1);
    for (const nth of [1, 2]) await queueImport(busy, `busy ${nth}`);
    const first = await claimNext();
    if (first === null) throw new Error("Nothing is due.");
    app().advance(1);
    await requeue(app().db.write, first, { runAt: app().deps.clock(), attempts: 0 });
    await queueImport(quiet, "quiet");
    expect(await runInOrder(2)).toEqual(["quiet", expect.stringContaining("busy")]);
  });

  test("of the account with the fewest running jobs are next", async () => {
    const [many, other] = [await makeUser(app()), await makeUser(app())];
    for (const id of await workspacesOf(many, 3)) await queueImport(id, `many ${id}`);
    const [late = 0n] = await workspacesOf(other, 1);
    await claimNext();
    app().advance(1);
    await queueImport(late, "first of other");
    await runInOrder(1);
    await queueImport(late, "second of other");
    // The other account has started last, but has no running job.
    expect(nameOf((await claimNext()) ?? { payload: {} })).toBe("second of other");
  });

  test("of one account use half of the workers", async () => {
    const [many, other] = [await makeUser(app()), await makeUser(app())];
    for (const id of await workspacesOf(many, 6)) await queueImport(id, `many ${id}`);
    const ofFour = claimFor(4);
    const claims = () => ofFour(app().db.write, due());
    const claimed = await Promise.all([claims(), claims(), claims(), claims()]);
    expect(claimed.filter((one) => one !== null)).toHaveLength(2);
    const [late = 0n] = await workspacesOf(other, 1);
    await queueImport(late, "late");
    expect(nameOf((await claims()) ?? { payload: {} })).toBe("late");
    const [first] = claimed;
    if (first === undefined || first === null) throw new Error("Nothing is due.");
    await end(app().db.write, first, "completed", app().deps.clock());
    expect(await claims()).not.toBeNull();
  });

  test("yield to accounts that wait and have no running job", async () => {
    const [many, other] = [await makeUser(app()), await makeUser(app())];
    const [one = 0n, two = 0n] = await workspacesOf(many, 2);
    await queueImport(one, "running");
    const running = await claimNext();
    if (running === null) throw new Error("Nothing is due.");
    const isWaiting = () => isAccountWaiting(app().db.read, running, app().deps.clock());
    await queueImport(two, "of the same account");
    const [quiet = 0n] = await workspacesOf(other, 1);
    await queueImport(quiet, "of another");
    // An idle worker would claim it soon.
    expect(await isWaiting()).toBe(false);
    app().advance(10_000);
    expect(await isWaiting()).toBe(true);
    expect(nameOf((await claimNext()) ?? { payload: {} })).toBe("of another");
    await queueImport(quiet, "second of another");
    app().advance(10_000);
    expect(await isWaiting()).toBe(false);
  });

  test("name the account that they count for", async () => {
    const { publicId } = await makeWorkspace(app());
    for (const kind of kinds) {
      const unnamed = write(app(), (tx) =>
        enqueue(tx, kind as "import", { publicId: "unnamed" }, { uniqueKey: "unnamed" }),
      );
      await expect(unnamed).rejects.toThrow("needs an account");
    }
    const where = { workspace: { publicId } };
    const member = await app().db.reader.member.findFirst({ where });
    const { id } = await app().db.reader.workspace.findUniqueOrThrow({ where: { publicId } });
    await queueImport(id, "import");
    const leaver = await makeUser(app());
    await leaver.rest.delete("/users/me", { password: "a password for tests" });
    const gone = await app().db.reader.user.findUniqueOrThrow({
      where: { publicId: leaver.publicId },
    });
    const jobs = await app().db.reader.job.findMany({ where: { kind: { in: kinds } } });
    const accounts = jobs.map(({ kind, accountId }) => [kind, accountId]);
    expect(accounts).toEqual([
      ["import", member?.userId],
      ["anonymizeUser", gone.id],
    ]);
  });

  test("are claimed without a look at each job that waits or has ended", async () => {
    const [many, other] = [await makeUser(app()), await makeUser(app())];
    const ids = await workspacesOf(many, 3);
    await insertImports(app(), ids, 2_000);
    const [late = 0n] = await workspacesOf(other, 1);
    await runInOrder(1);
    await queueImport(late, "late");
    const { rows, indexRows } = await rowsOfStatement(app(), (query) => claim(query, due()));
    // Three workspaces and the other one: a few rows of each.
    expect(rows + indexRows).toBeLessThanOrEqual(60);
    expect(await runInOrder(1)).not.toEqual(["late"]);
  });
});
