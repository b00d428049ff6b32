import { importRunner } from "../../../src/transfer/imports/job/run.ts";
import type { SourceImport } from "../../../src/transfer/imports/job/sources.ts";
import { startImport } from "../../../src/transfer/imports/job/start.ts";
import type { SourceName } from "../../../src/contract/vocabulary/import-sources.ts";
import { runDue, runners } from "../../support/jobs.ts";
import { runInTransaction } from "../../../src/kernel/events/transaction.ts";
import { persistEvents } from "../../../src/kernel/events/persist.ts";
import { actorOf } from "../../../src/kernel/events/actor.ts";
import type { Deps } from "../../../src/kernel/request/deps.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import type { App, Reply } from "../../support/app.ts";
import type { Workspace } from "../../support/make.ts";
import { findEvents } from "../../support/events.ts";

/** Starts an import of the test's own source, as the workspace's admin. Returns its public id. */
export async function begin(
  app: App,
  home: Workspace,
  content = "the same",
  source: SourceName = "workspace",
): Promise<string> {
  const { id } = await app.db.reader.workspace.findUniqueOrThrow({
    where: { publicId: home.publicId },
  });
  const user = await app.db.reader.user.findUniqueOrThrow({ where: { email: home.admin.email } });
  const caller = { userId: user.id, key: null };
  const row = await runInTransaction<"import.started", { publicId: string }>(
    app.deps,
    ["import.started"],
    async (tx) => {
      tx.workspaceId = id;
      const started = await startImport(
        tx,
        {
          deps: app.deps,
          workspace: { id, publicId: home.publicId },
          caller,
          requestMetadata: { ip: "203.0.113.7", requestId: "started" },
        },
        source,
        { input: { secret: "of a third party" }, content },
      );
      await persistEvents(tx, actorOf(null), { ip: null, requestId: null });
      return started;
    },
  );
  return row.publicId;
}

/** Seals the input of a queued import as version 0.1.0 did. */
export async function sealAsBefore(app: App, publicId: string): Promise<void> {
  const { seal, db } = app.deps;
  const row = await app.db.reader.import.findUniqueOrThrow({ where: { publicId } });
  const name = `input of import ${publicId}`;
  const { input: ask, requestMetadata: origin } = JSON.parse(seal.open(name, row.input));
  const input = seal.seal(name, JSON.stringify({ ask, origin }));
  await db.write(sql`UPDATE imports SET input = ${input} WHERE "publicId" = ${publicId}`);
}

/** Runs due jobs, with the test's own source for imports. */
export const runWith = (app: App, workspace: SourceImport): Promise<number> =>
  runDue(app.deps, { ...runners, import: importRunner({ workspace, github: workspace }) });

/** Reads an import as the admin sees it. */
export const shown = (home: Workspace, publicId: string): Promise<Reply> =>
  home.admin.rest.get(`/imports/${publicId}`);

/** The types of the events of imports, oldest first. */
export async function importEvents(app: App): Promise<string[]> {
  const events = await findEvents(app, {
    where: { type: { startsWith: "import." } },
    orderBy: { id: "asc" },
  });
  return events.map(({ type }) => type);
}

/**
 * Dependencies in which something happens right after the first transaction that leaves such a row.
 */
export function afterFirst(
  app: App,
  of: string,
  workspace: string,
  happens: () => Promise<void>,
): Deps {
  const { deps } = app;
  let isOver = false;
  return {
    ...deps,
    db: {
      ...deps.db,
      async transact(run) {
        const result = await deps.db.transact(run);
        const rows = await deps.db.read(
          sql`SELECT 1 FROM ${sql.identifier(of)} WHERE "workspaceId" = (SELECT id FROM workspaces WHERE "publicId" = ${workspace}) LIMIT 1`,
        );
        if (rows.length > 0 && !isOver) {
          isOver = true;
          await happens();
        }
        return result;
      },
    },
  };
}
