import type { App } from "../../support/app.ts";

/** The tables whose rows name who made them. */
export async function tablesWithCreator({ db }: App): Promise<ReadonlySet<string>> {
  const rows = await db.read<{ table: string }>(
    `SELECT table_name AS "table" FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'createdById'`,
    [],
  );
  return new Set(rows.map(({ table }) => table));
}

/** Makes a user the creator of a row. */
export const setCreator = ({ db }: App, table: string, publicId: string, userId: bigint) =>
  db.write(`UPDATE "${table}" SET "createdById" = $1 WHERE "publicId" = $2`, [userId, publicId]);
