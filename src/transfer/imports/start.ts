import { createHash } from "node:crypto";
import type { Caller } from "../../kernel/access/callers.ts";
import { publicId as newId } from "../../platform/db/public-id.ts";
import type { Import as ImportRow } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { conflict } from "../../platform/errors.ts";
import type { RequestMetadata } from "../../kernel/events/persist.ts";
import { enqueue } from "../../kernel/jobs/queue.ts";
import { families, type SourceName } from "../../contract/vocabulary/import-sources.ts";
import { viewImport } from "./view.ts";

type From = { workspace: { id: bigint; publicId: string }; caller: Pick<Caller, "userId"> };

/** What an import's input is sealed for. */
export const sealedAs = (publicId: string) => `input of import ${publicId}`;

/** Notes an import that is about to start: it has no job yet. */
export async function expectImport(
  { prisma, now }: Pick<UnitOfWork, "prisma" | "now">,
  { workspace, caller }: From,
  source: SourceName,
): Promise<ImportRow> {
  return prisma.import.create({
    data: {
      publicId: newId(),
      workspaceId: workspace.id,
      source,
      family: families[source],
      input: "",
      createdById: caller.userId,
      createdAt: now,
      updatedAt: now,
    },
  });
}

/** What two imports of the same thing have in common. */
export const fingerprintOf = (family: string, same: string) =>
  createHash("sha256").update(`${family} ${same}`).digest("base64url");

/** What is to be imported: `ask` is kept sealed until the import ends, and `same` is what makes it the same as another. */
export type Asked = { ask: unknown; same: string; requestMetadata: RequestMetadata };

/**
 * Starts an import that was noted. Where the same one is under way it is that one which is answered, so that whoever asks again because
 * the answer got lost has not asked for two.
 */
export async function queueImport(
  tx: UnitOfWork<"import.started">,
  { seal }: Pick<Deps, "seal">,
  { workspace, caller, noted }: From & { noted: ImportRow },
  { ask, same, requestMetadata }: Asked,
): Promise<ImportRow> {
  const fingerprint = fingerprintOf(noted.family, same);
  await tx.lock("workspaces", [workspace.id]);
  const live = await tx.prisma.import.findFirst({
    where: { workspaceId: workspace.id, fingerprint, status: { in: ["queued", "running"] } },
  });
  if (live !== null) {
    if (live.createdById !== caller.userId) throw conflict("Somebody else is importing just that.");
    await tx.prisma.import.delete({ where: { id: noted.id } });
    return live;
  }
  const input = seal.seal(
    sealedAs(noted.publicId),
    JSON.stringify({ ask, origin: requestMetadata }),
  );
  const row = await tx.prisma.import.update({
    where: { id: noted.id },
    data: { fingerprint, input, updatedAt: tx.now },
  });
  const { publicId: uniqueKey } = row;
  await enqueue(tx, "import", { publicId: uniqueKey }, { uniqueKey, workspaceId: workspace.id });
  tx.emit("import.started", { import: viewImport(row, workspace) });
  return row;
}

/** Notes an import and starts it. */
export async function startImport(
  tx: UnitOfWork<"import.started">,
  deps: Pick<Deps, "seal">,
  from: From,
  source: SourceName,
  asked: Asked,
): Promise<ImportRow> {
  const noted = await expectImport(tx, from, source);
  return queueImport(tx, deps, { ...from, noted }, asked);
}
