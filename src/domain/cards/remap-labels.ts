import type { Caller } from "../../kernel/access/callers.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkLimit } from "../../kernel/limits.ts";
import type { Label } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { AccessibleList } from "../../kernel/access/accessible-list.ts";
import { viewLabel } from "../views/labels.ts";
import { sql } from "../../platform/db/sql.ts";

type Marked = Label & { cardIds: bigint[] };

const marked = (cardIds: bigint[]) =>
  sql`SELECT la.*, array_agg(cl."cardId") AS "cardIds"
  FROM card_labels cl JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL
  WHERE cl."cardId" = ANY(${cardIds}::bigint[]) GROUP BY la.id ORDER BY la.id`;
const mark = (cardIds: bigint[], labelIds: bigint[], workspaceId: bigint, now: Date) =>
  sql`INSERT INTO card_labels ("cardId", "labelId", "workspaceId", "createdAt")
  SELECT DISTINCT marks."cardId", marks."labelId", ${workspaceId}::bigint, ${now}::timestamptz
  FROM unnest(${cardIds}::bigint[], ${labelIds}::bigint[]) AS marks("cardId", "labelId")`;

/** Gives cards that go to another board its labels in place of the old one's: those of the same name and colour, made when they are not there. As many statements whatever the cards. */
export async function remapLabels(
  { caller, tx }: { caller: Caller; tx: UnitOfWork<"label.created"> },
  cardIds: bigint[],
  board: AccessibleList["board"],
): Promise<void> {
  const labels = await tx.query<Marked>(marked(cardIds));
  await tx.query(sql`DELETE FROM card_labels WHERE "cardId" = ANY(${cardIds}::bigint[])`);
  const [first] = labels;
  if (first === undefined) return;
  // Cards that arrive at the same moment must not make the same label twice.
  await tx.lock("boards", [board.id]);
  const twins = await tx.prisma.label.findMany({
    where: { boardId: board.id, name: { in: labels.map(({ name }) => name) }, deletedAt: null },
    orderBy: { id: "desc" },
  });
  const carried = new Map(twins.map((label) => [look(label), label.id]));
  const missing = new Map(
    labels.filter((label) => !carried.has(look(label))).map((label) => [look(label), label]),
  );
  if (missing.size > 0) {
    await checkLimit(tx, "labels", board.id, missing.size);
    const made = await tx.prisma.label.createManyAndReturn({
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
    for (const label of made) {
      carried.set(look(label), label.id);
      tx.emit("label.created", { label: viewLabel(label), board });
    }
  }
  const marks = labels.flatMap((label) =>
    label.cardIds.map((cardId) => [cardId, carried.get(look(label)) ?? 0n] as const),
  );
  await tx.query(
    mark(
      marks.map(([cardId]) => cardId),
      marks.map(([, labelId]) => labelId),
      first.workspaceId,
      tx.now,
    ),
  );
}

/** What makes two labels of different boards the same. */
const look = ({ name, colourCode }: Pick<Label, "name" | "colourCode">) =>
  JSON.stringify([name, colourCode?.toLowerCase()]);
