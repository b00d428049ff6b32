import { fileBytes } from "../../attachments/room.ts";
import { peek, typeOf } from "../../attachments/type.ts";
import { expectFiles, handOver } from "../files.ts";
import { step, type Bringing } from "./home.ts";

type Waiting = { id: bigint; contentType: string };

const waiting = (which: string) => `SELECT id, "contentType" FROM attachments
  WHERE "workspaceId" = $1 AND ${which} AND kind = 'file' AND "storageKey" IS NULL ORDER BY id FOR NO KEY UPDATE`;
const byHash = waiting(`sha256 = $2`);
const byId = waiting(`"publicId" = $2 AND sha256 IS NULL`);
const keep = `UPDATE attachments SET "storageKey" = $2, "contentType" = $3, size = $4::bigint WHERE id = $1 AND "storageKey" IS NULL`;

/** Keeps a file of the archive for the attachments that it is of; each has one of its own. */
export async function bringFile(
  bringing: Bringing,
  { name, bytes }: { name: string; bytes: AsyncIterable<Uint8Array> },
): Promise<void> {
  const { run, ids } = bringing;
  const { files } = run.deps;
  const own = name.slice("files/".length);
  const isHash = /^[0-9a-f]{64}$/.test(own);
  const find = () =>
    step(bringing, async ({ work, home }) => {
      const values = [home.id, isHash ? own : ids(own)];
      const rows = await work.query<Waiting>(isHash ? byHash : byId, values);
      return { rows, keys: await expectFiles(work, run.row, rows.length) };
    });
  const { rows, keys } = await find();
  const [first, ...others] = keys;
  if (first === undefined) return;
  const { bytes: all, head } = peek(bytes);
  const { size } = await files.put(first, all, fileBytes);
  for (const other of others) await files.copy(first, other);
  const found = await Promise.all(rows.map(({ contentType }) => typeOf(head(), contentType)));
  await step(bringing, async ({ work }) => {
    for (const [place, { id }] of rows.entries())
      await work.query(keep, [id, keys[place], found[place], BigInt(size)]);
    await handOver(work, keys);
  });
}

const empty = `SELECT id, filename FROM attachments WHERE "workspaceId" = $1 AND kind = 'file' AND "storageKey" IS NULL AND id > $2
  ORDER BY id LIMIT 500`;

/** Names the attachments whose bytes did not come along. */
export async function reportMissing(bringing: Bringing): Promise<void> {
  const { run } = bringing;
  let last = 0n;
  for (;;) {
    const rows = await run.deps.db.read<{ id: bigint; filename: string }>(empty, [
      run.row.workspaceId,
      last,
    ]);
    for (const { filename: name } of rows) {
      const reason = "Its bytes were not in what was imported: only its name is here.";
      run.pending.lose({ kind: "attachment", name, partly: true, reason });
    }
    const next = rows.at(-1)?.id;
    if (next === undefined) return;
    last = next;
    await run.flush();
  }
}
