import type { z } from "zod";
import type { Import } from "../../../contract/resources/imports.ts";
import { isReserved, slugsFor } from "../../../domain/slugs.ts";
import { showWorkspace } from "../../../domain/presenters/workspaces.ts";
import {
  checkNewWorkspace,
  insertFounder,
  insertWorkspace,
} from "../../../domain/workspaces/insert.ts";
import type { Caller } from "../../../kernel/access/callers.ts";
import type { UnitOfWork } from "../../../kernel/events/unit-of-work.ts";
import { lockAccount } from "../../../kernel/limits.ts";
import { checkTimeZone } from "../../../kernel/time-zones.ts";
import { publicId } from "../../../platform/db/public-id.ts";
import type { Import as ImportRow, Workspace } from "../../../platform/db/rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import { conflict } from "../../../platform/errors.ts";
import { reserveFiles } from "../job/files.ts";
import {
  fingerprintOf,
  queueImport,
  reserveImport,
  type Start,
  type Upload,
} from "../job/start.ts";
import { showImport } from "../../../domain/presenters/imports.ts";
import { deriveIds } from "./derived.ts";
import type { Examined } from "../../format/examine.ts";
import type { WorkspaceInput } from "./run.ts";

const noFreeSlug = () =>
  conflict("no_free_slug", "No free slug found for the workspace. Try again.");

/** An import whose file is being sent. Until the file is valid, its workspace is deleted. */
type Reserved = Upload & { placeholder: Workspace };

type Emits = "workspace.created" | "import.started";

/** Reserves an import before its file arrives, so that the sweep finds the file. */
export async function reserve(tx: UnitOfWork<Emits>, caller: Caller): Promise<Reserved> {
  const { userId } = caller;
  const fields = { name: "Import", description: null, cardPrefix: "WS", deletedAt: tx.now };
  const placeholder = await insertWorkspace(tx, fields, [`import-${publicId()}`], userId);
  if (placeholder === null) throw noFreeSlug();
  const row = await reserveImport(tx, { workspace: placeholder, caller }, "workspace");
  const [storageKey = ""] = await reserveFiles(tx, row);
  return { row, storageKey, placeholder };
}

/** Removes a reserved import with its workspace. */
export const deleteRows = ({ placeholder }: Reserved) => sql`
  DELETE FROM workspaces w WHERE id = ${placeholder.id}
    AND NOT EXISTS (SELECT 1 FROM import_files f WHERE f."workspaceId" = w.id)`;

type ValidFile = Examined & { sha256: string; seed: string };
type Context = Omit<Start, "workspace"> & { caller: Caller };

/** Creates the workspace of a valid file and starts the import, or returns a live one of it. */
export async function start(
  tx: UnitOfWork<Emits>,
  ctx: Context,
  { row, storageKey, placeholder }: Reserved,
  { head, counts, lastCardNumber, mine, fileCount, sha256, seed }: ValidFile,
): Promise<z.infer<typeof Import>> {
  const content = `file ${sha256}`;
  const { caller } = ctx;
  const live = await findLive(tx, caller, fingerprintOf(row.family, content));
  if (live !== null) return showImport(live, live.workspace);
  await checkNewWorkspace(tx, caller.userId);
  const { name, description, cardPrefix, weekStartDay, timeZone = null } = head;
  const { showEmailsToMembers } = head;
  await checkTimeZone(tx.query, timeZone);
  const settings = { cardPrefix, weekStartDay, timeZone, showEmailsToMembers };
  const fields = { name, description, ...settings };
  const { slug } = head;
  const slugs = [...(isReserved(slug) ? [] : [slug]), ...slugsFor(slug)];
  const workspace = await insertWorkspace(tx, { ...fields, lastCardNumber }, slugs, caller.userId);
  if (workspace === null) throw noFreeSlug();
  tx.workspaceId = workspace.id;
  const memberPublicId = mine === null ? undefined : deriveIds(seed)(mine);
  await insertFounder(tx, workspace.id, caller, memberPublicId);
  // Between these statements the import and its file belong to two workspaces.
  await tx.query(sql`SET CONSTRAINTS ALL DEFERRED`);
  for (const table of ["imports", "import_files"])
    await tx.query(sql`
      UPDATE ${sql.identifier(table)} SET "workspaceId" = ${workspace.id}
      WHERE "workspaceId" = ${placeholder.id}`);
  await tx.query(sql`DELETE FROM workspaces WHERE id = ${placeholder.id}`);
  tx.emit("workspace.created", { workspace: showWorkspace(workspace) });
  const total = counts.boards + counts.cards + fileCount;
  const input: z.infer<typeof WorkspaceInput> = { storageKey, seed, mine, total };
  const importRow = { ...row, workspaceId: workspace.id };
  return queueImport(tx, { ...ctx, workspace }, importRow, { input, content });
}

/** The live import of the same file by the same caller. */
async function findLive(tx: UnitOfWork, { userId }: Caller, fingerprint: string) {
  // Two requests with the same file wait here for each other.
  await lockAccount(tx, userId);
  const status = { in: ["queued", "running"] } satisfies { in: ImportRow["status"][] };
  return tx.prisma.import.findFirst({
    where: { createdById: userId, source: "workspace", fingerprint, status },
    include: { workspace: { select: { publicId: true } } },
  });
}
