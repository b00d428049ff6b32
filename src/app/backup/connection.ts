import { readApplied } from "../../platform/db/migration-plan.ts";
import { queryRows } from "../../platform/db/prepared-query.ts";
import type { Query } from "../../platform/db/query.ts";
import { patientSession } from "../../platform/db/session.ts";
import type pg from "pg";

/** The names of the migrations that a database has. */
export const appliedNames = async (client: pg.Client): Promise<string[]> =>
  [...(await readApplied(client)).keys()].toSorted();

/** A transaction of a connection whose statements may take any time. */
export async function inLongTransaction<Result>(
  url: string,
  begin: string,
  use: (query: Query, client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const { Client, config, prepare } = patientSession(url);
  const client = new Client({ ...config, application_name: "workspace-board-service backup" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await prepare(client);
    await client.query(begin);
    const result = await use((statement) => queryRows(client, statement), client);
    await client.query("COMMIT");
    return result;
  } finally {
    // An open transaction ends with it.
    await client.end();
  }
}
