import type { Query } from "./database.ts";
import { conflict } from "../errors.ts";

/** How many live things of a kind may stand under one parent. */
export const rooms = {
  boards: { most: 1_000, parent: "workspaceId", of: "workspace" },
  members: { most: 10_000, parent: "workspaceId", of: "workspace" },
  webhooks: { most: 200, parent: "workspaceId", of: "workspace" },
  labels: { most: 500, parent: "boardId", of: "board" },
  lists: { most: 200, parent: "boardId", of: "board" },
  cards: { most: 50_000, parent: "boardId", of: "board" },
  checklists: { most: 50, parent: "cardId", of: "card" },
  attachments: { most: 500, parent: "cardId", of: "card" },
  checklist_items: { most: 500, parent: "checklistId", of: "checklist" },
} as const;

/** Throws 409 when `parentId` has no room for `more` of a kind. */
export async function checkRoom(
  query: Query,
  kind: keyof typeof rooms,
  parentId: bigint,
  more = 1,
) {
  const { most, parent, of } = rooms[kind];
  const live = kind === "members" ? `status <> 'removed'` : `"deletedAt" IS NULL`;
  const [row] = await query<{ full: boolean }>(
    `SELECT count(*) > $2 AS full FROM (SELECT 1 FROM ${kind} WHERE "${parent}" = $1 AND ${live} LIMIT $2 + 1) AS counted`,
    [parentId, BigInt(most - more)],
  );
  if (row?.full) throw conflict(`A ${of} has at most ${most} ${kind.replace("_", " ")}.`);
}
