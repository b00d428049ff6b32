import type { App } from "../../support/app.ts";
import { sql } from "../../../src/platform/db/sql.ts";

/** The tables whose rows name who made them. */
export async function tablesWithCreator({ db }: App): Promise<ReadonlySet<string>> {
  const rows = await db.read<{ table: string }>(
    sql`SELECT table_name AS "table" FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'createdById'`,
  );
  return new Set(rows.map(({ table }) => table));
}

/** Makes a user the creator of a row. */
export const setCreator = ({ db }: App, table: string, publicId: string, userId: bigint) =>
  db.write(
    sql`UPDATE ${sql.identifier(table)} SET "createdById" = ${userId} WHERE "publicId" = ${publicId}`,
  );
