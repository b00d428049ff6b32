import { createHash } from "node:crypto";
import type { z } from "zod";
import type { Import } from "../../../contract/resources/imports.ts";
import { importSources, type SourceName } from "../../../contract/vocabulary/import-sources.ts";
import type { Caller } from "../../../kernel/access/callers.ts";
import type { Deps } from "../../../kernel/request/deps.ts";
import type { RequestMetadata } from "../../../kernel/events/recorded-sql.ts";
import { enqueue } from "../../../kernel/jobs/queue.ts";
import type { UnitOfWork } from "../../../kernel/events/unit-of-work.ts";
import { publicId as newId } from "../../../platform/db/public-id.ts";
import type { Import as ImportRow } from "../../../platform/db/rows.ts";
import { conflict } from "../../../platform/errors.ts";
import { showImport } from "../../../domain/presenters/imports.ts";

type Owner = { workspace: { id: bigint; publicId: string }; caller: Pick<Caller, "userId"> };

/** The request that starts an import. */
export type Start = Owner & {
  caller: Pick<Caller, "key">;
  deps: Pick<Deps, "seal">;
  requestMetadata: RequestMetadata;
};

/** What to import. `input` is sealed until the import ends; `content` identifies equal imports. */
export type Content = { input: unknown; content: string };

/** An import whose file is being sent, and where the file is stored. */
export type Upload = { row: ImportRow; storageKey: string };

/** The name under which the input of an import is sealed. */
export const sealedAs = (publicId: string) => `input of import ${publicId}`;

/** Creates an import without a job, for a file that is still being sent. */
export async function reserveImport(
  { prisma, now }: Pick<UnitOfWork, "prisma" | "now">,
  { workspace, caller }: Owner,
  source: SourceName,
): Promise<ImportRow> {
  return prisma.import.create({
    data: {
      publicId: newId(),
      workspaceId: workspace.id,
      source,
      family: importSources[source].family,
      input: "",
      createdById: caller.userId,
      createdAt: now,
      updatedAt: now,
    },
  });
}

/** A digest that two imports of the same source and `content` share. */
export const fingerprintOf = (family: string, content: string) =>
  createHash("sha256").update(`${family} ${content}`).digest("base64url");

/**
 * Queues a reserved import; 409 when it was cancelled. When the caller imports the same already,
 * returns that import instead: the caller of this removes the reserved one.
 *
 * A client that repeats a request after a lost response does not start a second import.
 */
export async function queueImport(
  tx: UnitOfWork<"import.started">,
  { workspace, caller, deps, requestMetadata }: Start,
  reserved: ImportRow,
  { input, content }: Content,
): Promise<z.infer<typeof Import>> {
  const fingerprint = fingerprintOf(reserved.family, content);
  await tx.lock("workspaces", [workspace.id]);
  const live = await tx.prisma.import.findFirst({
    where: { workspaceId: workspace.id, fingerprint, status: { in: ["queued", "running"] } },
  });
  if (live !== null) {
    if (live.createdById !== caller.userId)
      throw conflict(
        "import_running",
        "Another member is importing the same content. Wait for that import to end.",
      );
    return showImport(live, workspace);
  }
  const apiKeyId = caller.key === null ? null : String(caller.key.id);
  const json = JSON.stringify({ input, requestMetadata, apiKeyId });
  const [row] = await tx.prisma.import.updateManyAndReturn({
    where: { id: reserved.id, status: "queued" },
    data: {
      fingerprint,
      input: deps.seal.seal(sealedAs(reserved.publicId), json),
      updatedAt: tx.now,
    },
  });
  if (row === undefined)
    throw conflict("import_ended", "The import ended while its file was being sent.");
  const { publicId: uniqueKey } = row;
  await enqueue(tx, "import", { publicId: uniqueKey }, { uniqueKey, workspaceId: workspace.id });
  const shownImport = showImport(row, workspace);
  tx.emit("import.started", { import: shownImport });
  return shownImport;
}

/** Creates an import in a locked workspace, and queues it. */
export async function startImport(
  tx: UnitOfWork<"import.started">,
  start: Start,
  source: SourceName,
  content: Content,
): Promise<z.infer<typeof Import>> {
  const reserved = await reserveImport(tx, start, source);
  const queued = await queueImport(tx, start, reserved, content);
  if (queued.publicId !== reserved.publicId)
    await tx.prisma.import.delete({ where: { id: reserved.id } });
  return queued;
}
