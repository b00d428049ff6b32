import type { Limits } from "../contract/limits.ts";
import { conflict } from "../platform/errors.ts";
import type { UnitOfWork } from "./events/unit-of-work.ts";

type Kind = keyof Limits;
type Holder = Pick<UnitOfWork, "query" | "limits" | "lock">;

const live = `t."deletedAt" IS NULL`;
const places: { [Of in Kind]: { parent: string; of: string; live: string } } = {
  boards: { parent: "workspaceId", of: "workspace", live },
  members: { parent: "workspaceId", of: "workspace", live: `t.status <> 'removed'` },
  webhooks: { parent: "workspaceId", of: "workspace", live },
  labels: { parent: "boardId", of: "board", live },
  lists: { parent: "boardId", of: "board", live },
  cards: {
    parent: "boardId",
    of: "board",
    live: `${live} AND EXISTS (SELECT 1 FROM lists l WHERE l.id = t."listId" AND l."deletedAt" IS NULL)`,
  },
  checklists: { parent: "cardId", of: "card", live },
  attachments: { parent: "cardId", of: "card", live },
  checklist_items: { parent: "checklistId", of: "checklist", live },
};

/** Throws 409 when a parent of its own would hold so many of a kind. */
export function checkCount(limits: Limits, kind: Kind, count: number): void {
  if (count <= limits[kind]) return;
  const { of } = places[kind];
  throw conflict(`A ${of} has at most ${limits[kind]} ${kind.replace("_", " ")}.`);
}

/** Throws 409 when `parentId` has no room for `more` of a kind; with 0, when it holds too many already. Whoever asks holds the parent, so that nobody else comes in meanwhile. */
export async function checkLimit(
  { query, limits }: Pick<Holder, "query" | "limits">,
  kind: Kind,
  parentId: bigint,
  more = 1,
): Promise<void> {
  const most = limits[kind];
  const { parent, live: counts } = places[kind];
  const [row] = await query<{ full: boolean }>(
    `SELECT count(*) > $2 AS full FROM (SELECT 1 FROM ${kind} t WHERE t."${parent}" = $1 AND ${counts} LIMIT greatest($2 + 1, 0)) AS counted`,
    [parentId, BigInt(most - more)],
  );
  if (row?.full) checkCount(limits, kind, most + 1);
}

/** Card numbers are given out at the same time as we look: so far from the limit there is no need to look closer. */
const slack = 1_000;

/** Throws 409 when a board has no room for `more` cards. Cards come to a board while nobody holds it, so it is held from here on when it may be nearly full. */
export async function checkCardLimit(
  tx: Holder,
  { id, lastCardNumber }: { id: bigint; lastCardNumber: number },
  boardId: bigint,
  more = 1,
): Promise<void> {
  // Fewer numbers than that have been given out in the whole workspace: no board can be full.
  if (lastCardNumber + more + slack <= tx.limits.cards) return;
  await tx.lock("boards", [boardId]);
  await tx.lock("workspaces", [id]);
  await checkLimit(tx, "cards", boardId, more);
}
