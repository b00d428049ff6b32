import { runDue } from "../../support/jobs.ts";
import type { App } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { sql } from "../../../src/platform/db/sql.ts";

type Any = any;

/** Sends bytes as a workspace to import; an object is sent as its JSON. */
export async function send(
  app: App,
  user: Pick<As, "token">,
  what: object | string | Uint8Array,
): Promise<{ status: number; body: Any }> {
  const isText = typeof what === "string" || what instanceof Uint8Array;
  const request = new Request("http://service/api/v1/imports/workspace", {
    method: "POST",
    headers: { Authorization: `Bearer ${user.token}` },
    body: isText ? (what as string) : JSON.stringify(what),
  });
  const response = await app.fetch(request);
  return { status: response.status, body: await response.json() };
}

/** Imports it, to the end; answers the import with its report. */
export async function bring(app: App, user: As, what: object | string | Uint8Array): Promise<Any> {
  const { status, body } = await send(app, user, what);
  if (status !== 200) throw new Error(JSON.stringify(body));
  await runDue(app.deps);
  return (await user.rest.get(`/imports/${body.publicId}?limit=100`)).body;
}

/** What an import that did not come about may not leave behind. */
export async function traces({ db }: Pick<App, "db">) {
  const [row] = await db.read<Record<string, bigint>>(
    sql`SELECT (SELECT count(*) FROM workspaces) AS workspaces, (SELECT count(*) FROM imports) AS imports,
       (SELECT count(*) FROM import_files) AS files, (SELECT count(*) FROM members) AS members,
       (SELECT count(*) FROM events) AS events`,
  );
  return row;
}
