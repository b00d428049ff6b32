import type { Caller } from "../../kernel/access/callers.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkLimit } from "../../kernel/limits.ts";
import type { Label } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { AccessibleList } from "../../kernel/access/accessible-list.ts";
import { showLabel } from "../presenters/labels.ts";
import { sql } from "../../platform/db/sql.ts";

type UsedLabel = Label & { cardIds: bigint[] };

const usedLabels = (cardIds: bigint[]) =>
  sql`SELECT la.*, array_agg(cl."cardId") AS "cardIds"
  FROM card_labels cl JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL
  WHERE cl."cardId" = ANY(${cardIds}::bigint[]) GROUP BY la.id ORDER BY la.id`;
const insertPairs = (cardIds: bigint[], labelIds: bigint[], workspaceId: bigint, now: Date) =>
  sql`INSERT INTO card_labels ("cardId", "labelId", "workspaceId", "createdAt")
  SELECT DISTINCT pair."cardId", pair."labelId", ${workspaceId}::bigint, ${now}::timestamptz
  FROM unnest(${cardIds}::bigint[], ${labelIds}::bigint[]) AS pair("cardId", "labelId")`;

type Context = { caller: Caller; tx: UnitOfWork<"label.created"> };

/** Replaces the labels of cards by those of another board with the same name and colour. */
export async function remapLabels(
  { caller, tx }: Context,
  cardIds: bigint[],
  board: AccessibleList["board"],
): Promise<void> {
  const labels = await tx.query<UsedLabel>(usedLabels(cardIds));
  await tx.query(sql`DELETE FROM card_labels WHERE "cardId" = ANY(${cardIds}::bigint[])`);
  const [first] = labels;
  if (first === undefined) return;
  const targets = await targetLabels({ caller, tx }, labels, board);
  const pairs = labels.flatMap((label) =>
    label.cardIds.map((cardId) => [cardId, targets.get(keyOf(label)) ?? 0n] as const),
  );
  await tx.query(
    insertPairs(
      pairs.map(([cardId]) => cardId),
      pairs.map(([, labelId]) => labelId),
      first.workspaceId,
      tx.now,
    ),
  );
}

/** The labels of a board by name and colour; creates those that are missing. */
async function targetLabels(
  { caller, tx }: Context,
  labels: UsedLabel[],
  board: AccessibleList["board"],
): Promise<Map<string, bigint>> {
  // The lock prevents that concurrent moves create the same label twice.
  await tx.lock("boards", [board.id]);
  const existing = await tx.prisma.label.findMany({
    where: { boardId: board.id, name: { in: labels.map(({ name }) => name) }, deletedAt: null },
    orderBy: { id: "desc" },
  });
  const targets = new Map(existing.map((label) => [keyOf(label), label.id]));
  const missing = new Map(
    labels.filter((label) => !targets.has(keyOf(label))).map((label) => [keyOf(label), label]),
  );
  if (missing.size === 0) return targets;
  await checkLimit(tx, "labels", board.id, missing.size);
  const created = await tx.prisma.label.createManyAndReturn({
    data: [...missing.values()].map(({ name, colourCode, workspaceId }) => ({
      publicId: publicId(),
      workspaceId,
      boardId: board.id,
      name,
      colourCode,
      createdById: caller.userId,
      createdAt: tx.now,
      updatedAt: tx.now,
    })),
  });
  for (const label of created.toReversed()) {
    targets.set(keyOf(label), label.id);
    tx.emitFirst("label.created", { label: showLabel(label), board });
  }
  return targets;
}

/** Equal for labels with the same name and colour. */
const keyOf = ({ name, colourCode }: Pick<Label, "name" | "colourCode">) =>
  JSON.stringify([name, colourCode?.toLowerCase()]);
