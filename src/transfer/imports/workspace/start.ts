import type { z } from "zod";
import type { Caller } from "../../../kernel/access/callers.ts";
import { publicId } from "../../../platform/db/public-id.ts";
import type { Import as ImportRow, Workspace } from "../../../platform/db/rows.ts";
import type { UnitOfWork } from "../../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../../kernel/request/deps.ts";
import { unavailable } from "../../../platform/errors.ts";
import type { RequestMetadata } from "../../../kernel/events/persist.ts";
import { insertFounder, insertWorkspace } from "../../../domain/workspaces/insert.ts";
import { reservedSlugs, slugsFor } from "../../../domain/slugs.ts";
import { viewWorkspace } from "../../../domain/views/workspaces.ts";
import { dropFiles, expectFiles } from "../files.ts";
import { expectImport, fingerprintOf, queueImport } from "../start.ts";
import { viewImport } from "../view.ts";
import type { Import } from "../../../contract/resources/imports.ts";
import type { Examined } from "./examine.ts";
import { idsFrom } from "./ids.ts";
import type { Ask } from "./run.ts";
import { sql } from "../../../platform/db/sql.ts";

/** An import whose file is on its way; until it is good, it belongs to a workspace that nobody sees. */
export type Parked = { noted: ImportRow; storageKey: string; place: Workspace };

type Emits = "workspace.created" | "import.started";

/** Notes an import before its file comes, so that whatever becomes of the file it is known. */
export async function begin(tx: UnitOfWork<Emits>, caller: Caller): Promise<Parked> {
  const { userId } = caller;
  const fields = { name: "Import", description: null, cardPrefix: "WS", deletedAt: tx.now };
  const place = await insertWorkspace(tx, fields, [`import-${publicId()}`], userId);
  if (place === null) throw unavailable("No slug was free.");
  const noted = await expectImport(tx, { workspace: place, caller }, "workspace");
  const [storageKey = ""] = await expectFiles(tx, noted);
  return { noted, storageKey, place };
}

/** Forgets an import whose file was not good, or was there already. */
export async function forget(
  deps: Pick<Deps, "db" | "files" | "log">,
  { noted, place }: Parked,
): Promise<void> {
  await dropFiles(deps, noted.id);
  await deps.db.write(
    sql`DELETE FROM workspaces w WHERE id = ${place.id} AND NOT EXISTS (SELECT 1 FROM import_files f WHERE f."workspaceId" = w.id)`,
  );
}

type Found = Examined & { sha256: string; seed: string };
type Context = { caller: Caller; deps: Pick<Deps, "seal">; requestMetadata: RequestMetadata };
type Started = { import: z.infer<typeof Import>; isOther: boolean };

/** Makes the workspace of a good file, with its admin, and starts the import into it. The same file of the same caller that is being imported already is that import. */
export async function start(
  tx: UnitOfWork<Emits>,
  { caller, deps, requestMetadata }: Context,
  { noted, storageKey, place }: Parked,
  { head, counts, lastCardNumber, mine, fileCount, sha256, seed }: Found,
): Promise<Started> {
  const same = `file ${sha256}`;
  const live = await findSame(tx, caller, fingerprintOf(noted.family, same));
  if (live !== null) return { import: viewImport(live, live.workspace), isOther: true };
  const { name, description, cardPrefix, weekStartDay, showEmailsToMembers } = head;
  const fields = { name, description, cardPrefix, weekStartDay, showEmailsToMembers };
  const slug = head.slug.toLowerCase();
  const slugs = [...(reservedSlugs.includes(slug) ? [] : [slug]), ...slugsFor(slug)];
  const workspace = await insertWorkspace(tx, { ...fields, lastCardNumber }, slugs, caller.userId);
  if (workspace === null) throw unavailable("No slug was free.");
  tx.workspaceId = workspace.id;
  await insertFounder(tx, workspace.id, caller, mine === null ? undefined : idsFrom(seed)(mine));
  for (const table of ["imports", "import_files"])
    await tx.query(`UPDATE ${table} SET "workspaceId" = $1 WHERE "workspaceId" = $2`, [
      workspace.id,
      place.id,
    ]);
  await tx.query(sql`DELETE FROM workspaces WHERE id = ${place.id}`);
  tx.emit("workspace.created", { workspace: viewWorkspace(workspace) });
  const total = counts.boards + counts.cards + fileCount;
  const ask: z.infer<typeof Ask> = { storageKey, seed, mine, total };
  const row = await queueImport(
    tx,
    deps,
    { workspace, caller, noted: { ...noted, workspaceId: workspace.id } },
    { ask, same, requestMetadata },
  );
  return { import: viewImport(row, workspace), isOther: false };
}

async function findSame({ prisma, query }: UnitOfWork, { userId }: Caller, fingerprint: string) {
  // Whoever sends the same file twice at a time waits here for the first.
  await query(sql`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
  const status = { in: ["queued", "running"] } satisfies { in: ImportRow["status"][] };
  return prisma.import.findFirst({
    where: { createdById: userId, source: "workspace", fingerprint, status },
    include: { workspace: { select: { publicId: true } } },
  });
}
