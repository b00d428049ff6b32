import { createHash } from "node:crypto";
import { sourceFamilies, type SourceName } from "../../../contract/vocabulary/import-sources.ts";
import type { Caller } from "../../../kernel/access/callers.ts";
import type { Deps } from "../../../kernel/request/deps.ts";
import type { RequestMetadata } from "../../../kernel/events/persist.ts";
import { enqueue } from "../../../kernel/jobs/queue.ts";
import type { UnitOfWork } from "../../../kernel/events/unit-of-work.ts";
import { publicId as newId } from "../../../platform/db/public-id.ts";
import type { Import as ImportRow } from "../../../platform/db/rows.ts";
import { conflict } from "../../../platform/errors.ts";
import { viewImport } from "./view.ts";

type Owner = { workspace: { id: bigint; publicId: string }; caller: Pick<Caller, "userId"> };

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
      family: sourceFamilies[source],
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

/** What to import. `input` is sealed until the import ends; `content` identifies equal imports. */
export type ImportRequest = { input: unknown; content: string; requestMetadata: RequestMetadata };

/**
 * Queues a reserved import. When the caller imports the same already, returns that import instead.
 *
 * A client that repeats a request after a lost response does not start a second import.
 */
export async function queueImport(
  tx: UnitOfWork<"import.started">,
  { seal }: Pick<Deps, "seal">,
  { workspace, caller, reserved }: Owner & { reserved: ImportRow },
  { input, content, requestMetadata }: ImportRequest,
): Promise<ImportRow> {
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
    await tx.prisma.import.delete({ where: { id: reserved.id } });
    return live;
  }
  const stored = JSON.stringify({ input, requestMetadata });
  const row = await tx.prisma.import.update({
    where: { id: reserved.id },
    data: {
      fingerprint,
      input: seal.seal(sealedAs(reserved.publicId), stored),
      updatedAt: tx.now,
    },
  });
  const { publicId: uniqueKey } = row;
  await enqueue(tx, "import", { publicId: uniqueKey }, { uniqueKey, workspaceId: workspace.id });
  tx.emit("import.started", { import: viewImport(row, workspace) });
  return row;
}

/** Creates an import and queues it. */
export async function startImport(
  tx: UnitOfWork<"import.started">,
  deps: Pick<Deps, "seal">,
  owner: Owner,
  source: SourceName,
  request: ImportRequest,
): Promise<ImportRow> {
  const reserved = await reserveImport(tx, owner, source);
  return queueImport(tx, deps, { ...owner, reserved }, request);
}
