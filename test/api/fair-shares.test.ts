import pg from "pg";
import { expect, test } from "vitest";
import { connectionShares } from "../../src/platform/db/database.ts";
import { useApp } from "../support/app.ts";
import { listen } from "../support/listen.ts";
import { makeBoard, makeWorkspace, type User } from "../support/make.ts";

const app = useApp({ isolated: true });

/** Calls over HTTP whose transactions wait for a lock until it is released. */
async function blocked(count: number) {
  const workspace = await makeWorkspace(app());
  const { lists } = await makeBoard(workspace);
  const holder = new pg.Client({ connectionString: app().url });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query(`SELECT 1 FROM lists WHERE "publicId" = $1 FOR UPDATE`, [lists[0]]);
  const server = await listen((request) => app().fetch(request));
  const statuses: number[] = [];
  const calls = Array.from({ length: count }, async () => {
    const response = await fetch(`${server.url}/api/v1/cards`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${workspace.admin.token}`,
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ listPublicId: lists[0], title: "Card" }),
    });
    statuses.push(response.status);
    return response;
  });
  const waitFor = async (waiting: number) => {
    while (app().db.connections().waiting < waiting) await new Promise(setImmediate);
  };
  const release = async () => {
    await holder.query("ROLLBACK");
    await holder.end();
    const responses = await Promise.all(calls);
    await server.close();
    return responses;
  };
  return { workspace, statuses, calls, waitFor, release };
}

const { perCaller, queuePerCaller } = connectionShares(10);

test("calls of others are answered while one user's calls hold their share of the pool", async () => {
  const other = await makeWorkspace(app());
  const { publicId } = await makeBoard(other);
  const { statuses, waitFor, release } = await blocked(40);
  await waitFor(40 - perCaller);
  const read = () => other.admin.rest.get(`/boards/${publicId}`);
  const replies = await Promise.all(Array.from({ length: 5 }, read));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  expect(await anonymous()).toBe(200);
  expect(statuses).toEqual([]);
  // On a busy machine some have waited too long.
  for (const { status } of await release()) expect([200, 503]).toContain(status);
});

const anonymous = async () =>
  (await app().call({ method: "GET", path: "/invites/unknown-code-1" })).status === 404 ? 200 : 500;

test("over REST and tRPC, calls past the queue of a user get 503 with Retry-After at once", async () => {
  const { workspace, waitFor, release } = await blocked(perCaller + queuePerCaller);
  await waitFor(queuePerCaller);
  const { admin } = workspace;
  const path = `/workspaces/${workspace.publicId}`;
  const overREST = await admin.rest.get(path);
  expect(overREST).toMatchObject({
    status: 503,
    body: { code: "SERVICE_UNAVAILABLE", issues: [{ code: "overloaded" }] },
  });
  expect(overREST.headers.get("Retry-After")).toBe("1");
  expect(await trpcStatus(admin, workspace.publicId)).toBe(503);
  await release();
  expect((await admin.rest.get(path)).status).toBe(200);
});

async function trpcStatus({ token }: User, workspacePublicId: string): Promise<number> {
  const input = encodeURIComponent(JSON.stringify({ workspacePublicId }));
  const path = `/trpc/workspace.get?input=${input}`;
  return (await app().call({ method: "GET", path, token })).status;
}

test("connections of ended calls are free again", () => {
  const { open, idle, waiting } = app().db.connections();
  expect([open - idle, waiting]).toEqual([0, 0]);
});
