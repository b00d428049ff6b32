import { createHmac } from "node:crypto";
import type { Import } from "../../../platform/db/rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import { recordedIdentity, type Identity } from "../write/identity.ts";

/**
 * The id of a resource here, from its id in the document. Without the seed it cannot be guessed.
 */
export type DeriveId = (sourceId: string) => string;

const letters = 12;
const range = 36n ** BigInt(letters);

/** Derives the ids of one import. */
export const deriveIds =
  (seed: string): DeriveId =>
  (sourceId) => {
    const digest = createHmac("sha256", seed).update(sourceId).digest();
    return (digest.readBigUInt64BE() % range).toString(36).padStart(letters, "0");
  };

/** Derives public ids from a seed, so that a run finds what an earlier run has created. */
export function derivedIdentity(row: Import, seed: string): Identity {
  const publicId = deriveIds(seed);
  return {
    publicId,
    isWhole: true,
    select: (_, table, sourceIds) => sql`
      SELECT ref."sourceId", t.id AS "targetId", true AS mine, t."deletedAt" IS NULL AS "isLive"
      FROM unnest(${sourceIds}::text[], ${sourceIds.map(publicId)}::text[])
        AS ref("sourceId", "publicId")
      JOIN ${table} t ON t."publicId" = ref."publicId"
      WHERE t."workspaceId" = ${row.workspaceId}`,
    /** Only boards are recorded, for the report of the import. */
    async record(tx, rows) {
      const boards = rows.filter(({ kind }) => kind === "board");
      await recordedIdentity(row).record(tx, boards);
    },
  };
}
