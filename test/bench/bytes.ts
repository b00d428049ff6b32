import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import pg from "pg";
import { signUp } from "./api.ts";
import { makeBoard } from "./world.ts";
import { startReceivers } from "./receivers.ts";
import { startBuilt } from "./servers.ts";
import { withDatabase } from "./setting.ts";

// The bytes that 1,000 writes leave behind, by table: npm run bench:bytes -- [--rounds 4]
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { rounds: { type: "string", default: "4" } },
});
const writes = 1_000 * Number(values.rounds);
const say = (line: string) => void process.stdout.write(`${line}\n`);

type Card = { publicId: string };

/** The sizes of all tables, with their indexes and what is stored beside them. */
async function sizes(client: pg.Client): Promise<Map<string, number[]>> {
  await client.query("VACUUM ANALYZE");
  const { rows } = await client.query<{ name: string; rows: string; indexes: string }>(
    `SELECT relname AS name, pg_table_size(oid) AS rows, pg_indexes_size(oid) AS indexes
     FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  return new Map(
    rows.map(({ name, ...each }) => [name, [Number(each.rows), Number(each.indexes)]]),
  );
}

await withDatabase(async ({ atEnd, ...common }) => {
  const service = await startBuilt({
    ...common,
    env: { WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8" },
  });
  atEnd(() => service.stop());
  const receivers = await startReceivers();
  atEnd(() => receivers.close());
  const client = new pg.Client(common.databaseUrl);
  await client.connect();
  atEnd(() => client.end());
  const api = await signUp(service.origin);
  const { board, workspace } = await makeBoard(api, service.origin, 200);
  await api.post(`/workspaces/${workspace.publicId}/webhooks`, {
    name: "All",
    url: `${receivers.url}/all`,
    events: ["card.*", "comment.*"],
  });
  /** A write with a key, as clients that repeat calls send them. */
  async function write(method: string, path: string, body: unknown): Promise<Card> {
    const response = await fetch(`${service.origin}/api/v1${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${api.token}`,
        "idempotency-key": randomUUID(),
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json() as Promise<Card>;
  }
  const at = <Item>(items: Item[], index: number): Item => {
    const item = items[index % items.length];
    if (item === undefined) throw new Error("No item.");
    return item;
  };
  const ids = (items: Card[]) => items.map(({ publicId }) => publicId);
  const [lists, labels] = [ids(board.lists), ids(board.labels)];
  const cards: string[] = [];
  /** Of ten writes four create cards, two move one, two change a label, one a text; one comments. */
  async function writeOne(n: number): Promise<unknown> {
    const [kind, round] = [n % 10, Math.floor(n / 10)];
    const card = `/cards/${cards.length === 0 ? "" : at(cards, round)}`;
    if (kind < 4) {
      const title = `Card ${n}: what is to be done, in one line`;
      const description = "More about it, in a paragraph of the usual length.";
      const created = await write("POST", "/cards", {
        title,
        description,
        listPublicId: at(lists, n),
      });
      return cards.push(created.publicId);
    }
    if (kind < 6) return write("PUT", card, { listPublicId: at(lists, n), index: 0 });
    if (kind < 8) return write("PUT", `${card}/labels/${at(labels, round)}`, {});
    if (kind === 8) return write("PUT", card, { description: `Changed for the ${round}th time.` });
    return write("POST", `${card}/comments`, { comment: "A remark of one sentence, as usual." });
  }
  const before = await sizes(client);
  for (let n = 0; n < writes; n++) await writeOne(n);
  for (;;) {
    const { rows } = await client.query(
      "SELECT 1 FROM deliveries WHERE status = 'pending' LIMIT 1",
    );
    if (rows.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const after = await sizes(client);
  let total = 0;
  const grown = [...after].map(([name, [rows = 0, indexes = 0]]) => {
    const [rowsBefore = 0, indexesBefore = 0] = before.get(name) ?? [];
    return {
      name,
      rows: (rows - rowsBefore) / writes,
      indexes: (indexes - indexesBefore) / writes,
    };
  });
  for (const { name, rows, indexes } of grown.toSorted(
    (one, other) => other.rows + other.indexes - one.rows - one.indexes,
  )) {
    total += rows + indexes;
    if (rows + indexes < 1) continue;
    say(
      `${name.padEnd(24)} ${rows.toFixed(0).padStart(6)} + indexes ${indexes.toFixed(0).padStart(5)}`,
    );
  }
  say(`${(total / 1_000).toFixed(2)} MB for 1,000 writes`);
});
