import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { onTestFinished } from "vitest";
import { freshDatabase } from "../../../support/database.ts";

/** The versions of which there is a dump. */
export const releases = ["0.1.0", "0.2.0"] as const;

/** The `APP_SECRET` of the services that have filled the databases. */
export const releasedSecret = "a secret of released databases, for tests";

/** Restores the database of a released version, until the end of the test. Returns its address. */
export async function restore(version: (typeof releases)[number]): Promise<string> {
  const { url, drop } = await freshDatabase({ empty: true });
  onTestFinished(drop);
  const dump = await readFile(new URL(`${version}.sql.gz`, import.meta.url));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(gunzipSync(dump).toString()).finally(() => client.end());
  return url;
}
