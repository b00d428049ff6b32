import pg from "pg";
import { signUp } from "./api.ts";
import { fillLarge } from "./fill-large.ts";
import { startBuilt, type Common, type Server } from "./servers.ts";
import { row } from "./twenty-operations.ts";

const ADMIN_KEY = "the key of a benchmark";
const pollMs = 20;
/** How much of an export is read: the rest takes as long. */
const maxBytes = 4e6;

/** A database with the workspace `Large`, and a token of its admin. */
type Filled = { setting: Common; token: string };

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await run();
  return performance.now() - began;
};

/** Fills a workspace with one board, to which a large one is compared. */
export async function fillBoard(setting: Common, server: Server, cards: number): Promise<Filled> {
  const admin = await signUp(server.origin);
  await admin.post("/workspaces", { name: "Large" });
  const client = new pg.Client({ connectionString: setting.databaseUrl });
  await client.connect();
  await fillLarge(client, { boards: 1, cards, vocabulary: 20_000 });
  await client.end();
  return { setting, token: admin.token };
}

/**
 * What takes long, in ms: the start, the statistics, an export for each MB, and the purge of a
 * board for each 1,000 cards. The board is gone afterwards.
 */
async function timesOf({ setting, token }: Filled): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: setting.databaseUrl });
  await client.connect();
  let server: Server | undefined;
  try {
    const start = await timed(async () => {
      server = await startBuilt({ ...setting, env: { ADMIN_KEY } });
      while ((await fetch(`${server.origin}/readyz`)).status !== 200) await pause();
    });
    const origin = `${server?.origin}/api/v1`;
    const get = async (path: string, headers: Record<string, string>) => {
      const response = await fetch(`${origin}${path}`, { headers });
      if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
      return response;
    };
    const stats = await timed(async () =>
      (await get("/stats", { "X-Admin-Key": ADMIN_KEY })).text(),
    );
    const { rows } = await client.query(
      `SELECT "publicId", id FROM workspaces WHERE name = 'Large'`,
    );
    const [{ publicId, id }] = rows;
    const headers = { Authorization: `Bearer ${token}` };
    const exported = await readSome(await get(`/workspaces/${publicId}/export`, headers));
    const purged = await purgeBoard(client, id);
    return {
      start,
      "stats.get": stats,
      "export, 1 MB": (exported.ms / exported.bytes) * 1e6,
      "purge, 1,000 cards": (purged.ms / purged.cards) * 1_000,
    };
  } finally {
    await server?.stop();
    await client.end();
  }
}

/** Reads the first bytes of an answer. */
async function readSome({ body }: Response): Promise<{ ms: number; bytes: number }> {
  let bytes = 0;
  const ms = await timed(async () => {
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) break;
    }
  });
  return { ms, bytes };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, pollMs));

/** Puts a board of a workspace into a trash that has expired, and waits until it is gone. */
async function purgeBoard(client: pg.Client, workspaceId: string) {
  const { rows } = await client.query(
    `UPDATE boards SET "deletedAt" = now() - interval '1 year'
     WHERE id = (SELECT id FROM boards WHERE "workspaceId" = $1 AND name LIKE 'Board %'
       AND "deletedAt" IS NULL ORDER BY id LIMIT 1)
     RETURNING id, (SELECT count(*)::int FROM cards c WHERE c."boardId" = boards.id) AS cards`,
    [workspaceId],
  );
  const [board] = rows;
  const left = async () => {
    const found = await client.query(
      `SELECT (SELECT count(*)::int FROM cards WHERE "boardId" = $1) AS cards,
        EXISTS (SELECT 1 FROM boards WHERE id = $1) AS board`,
      [board.id],
    );
    return { cards: Number(found.rows[0].cards), board: Boolean(found.rows[0].board) };
  };
  await client.query(`UPDATE jobs SET "runAt" = now() WHERE kind = 'purge' AND status = 'queued'`);
  // A worker looks for due jobs by itself: the time is that of its work.
  while ((await left()).cards === board.cards) await pause();
  const ms = await timed(async () => {
    while ((await left()).board) await pause();
  });
  return { ms, cards: Number(board.cards) };
}

/** Prints what long operations take in a small and in a large database, in ms. */
export async function timeLongOperations(
  small: Filled,
  large: Filled,
  say: (line: string) => void,
): Promise<void> {
  const [first, second] = [await timesOf(small), await timesOf(large)];
  row(say, "once, in ms", ["small", "large", "ratio"]);
  for (const [name, ms] of Object.entries(first)) {
    const other = second[name] ?? 0;
    row(say, name, [ms.toFixed(0), other.toFixed(0), (other / ms).toFixed(1)]);
  }
}
