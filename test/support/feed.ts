import pg from "pg";
import type { Query } from "../../src/platform/db/query.ts";
import { runInTransaction } from "../../src/kernel/events/transaction.ts";
import { actorOf } from "../../src/kernel/events/actor.ts";
import { persistEvents } from "../../src/kernel/events/persist.ts";
import { sql } from "../../src/platform/db/sql.ts";
import type { App } from "./app.ts";
import type { As } from "./as.ts";
import { serverUrl } from "./database.ts";

/** Reads a workspace's feed from a cursor to its end; returns the events and the last cursor. */
export async function follow(
  who: As,
  workspacePublicId: string,
  { cursor, query = "" }: { cursor?: string | undefined; query?: string } = {},
): Promise<{ items: any[]; cursor: string; pages: number }> {
  const items: any[] = [];
  let [at, pages] = [cursor, 0];
  for (;;) {
    const from = at === undefined ? "" : `&cursor=${at}`;
    const { status, body } = await who.rest.get(
      `/workspaces/${workspacePublicId}/events?limit=100${from}${query}`,
    );
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    items.push(...body.items);
    at = body.nextCursor;
    pages++;
    if (body.items.length === 0) return { items, cursor: body.nextCursor, pages };
  }
}

/** How a transaction waits for its end: in a session, or prepared for a two-phase commit. */
export const waitingTransactions = ["open", "prepared"] as const;

/** Runs something while a transaction waits in another database of the same server, or in one. */
export async function besideAnotherDatabase(
  kind: (typeof waitingTransactions)[number],
  run: () => Promise<void>,
  url = serverUrl(),
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = `beside ${Math.random()}`;
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_current_xact_id()");
    if (kind === "prepared") await client.query(`PREPARE TRANSACTION '${name}'`);
    await run();
  } finally {
    await client.query(kind === "prepared" ? `ROLLBACK PREPARED '${name}'` : "ROLLBACK");
    await client.end();
  }
}

/**
 * Writes events in one transaction that stays open while `meanwhile` runs.
 * Returns their public ids in order.
 */
export async function write(
  { deps, db }: App,
  workspacePublicId: string,
  count: number,
  meanwhile: (query: Query) => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const { id } = await db.reader.workspace.findUniqueOrThrow({
    where: { publicId: workspacePublicId },
  });
  const requestId = `write-${Math.random().toString(36).slice(2)}`;
  return runInTransaction(deps, ["role.deleted"], async (tx) => {
    tx.workspaceId = id;
    for (let number = 0; number < count; number++) tx.emit("role.deleted", { role: role(number) });
    await persistEvents(tx, actorOf(null), { ip: "local", requestId });
    const rows = await tx.query<{ publicId: string }>(
      sql`SELECT "publicId" FROM events WHERE "requestId" = ${requestId} ORDER BY id`,
    );
    await meanwhile(tx.query);
    return rows.map(({ publicId }) => publicId);
  });
}

const role = (number: number) => ({
  publicId: "r4o8l2e6x9w3",
  name: `role ${number}`,
  description: null,
  hierarchyLevel: 40,
  isSystem: false,
  permissions: [],
  version: 1,
});
