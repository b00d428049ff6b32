import { createHmac } from "node:crypto";
import type { Import } from "../../../platform/db/rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import {
  lookUpIn,
  type Identity,
  type Kind,
  type Known,
  type SourceRef,
} from "../write/identity.ts";
import { recordedIdentity } from "../write/recorded.ts";

/** The id of a resource here, from its id in the document. Without the seed it cannot be guessed. */
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

const tables: [Kind, string][] = [
  ["board", "boards"],
  ["list", "lists"],
  ["label", "labels"],
  ["card", "cards"],
  ["checklist", "checklists"],
  ["checklistItem", "checklist_items"],
  ["comment", "comments"],
  ["attachment", "attachments"],
];
const beforeParts = 4;

/** Derives public ids from a seed, so that a run finds what an earlier run has created. */
export function derivedIdentity(row: Import, seed: string): Identity {
  const publicId = deriveIds(seed);
  return {
    publicId,
    async find(query, refs) {
      const found: (SourceRef & Known)[] = [];
      const isCards = refs.some(({ kind }) => kind === "card");
      for (const [index, [kind, table]] of tables.entries()) {
        const sourceIds = [
          ...new Set(refs.flatMap((ref) => (ref.kind === kind ? [ref.sourceId] : []))),
        ];
        // A card comes with all its parts: without an earlier card there are no earlier parts.
        const hasCards = !isCards || found.some((one) => one.kind === "card");
        if (sourceIds.length === 0 || (index >= beforeParts && !hasCards)) continue;
        const rows = await query<{ id: bigint; nth: bigint }>(sql`
          SELECT t.id, ref.nth
          FROM unnest(${sourceIds.map(publicId)}::text[]) WITH ORDINALITY AS ref("publicId", nth)
          JOIN ${sql.identifier(table)} t ON t."publicId" = ref."publicId"
          WHERE t."workspaceId" = ${row.workspaceId}`);
        for (const { id, nth } of rows) {
          const sourceId = sourceIds[Number(nth) - 1] ?? "";
          found.push({ kind, sourceId, targetId: id, mine: true });
        }
      }
      return lookUpIn(found);
    },
    /** Only boards are recorded, for the report of the import. */
    async record(tx, boardId, rows) {
      const boards = rows.filter(({ kind }) => kind === "board");
      await recordedIdentity(row).record(tx, boardId, boards);
    },
  };
}
