import type { Caller } from "../../kernel/access/callers.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkRoom } from "../../kernel/limits.ts";
import type { Label } from "../../platform/db/rows.ts";
import type { Work } from "../../kernel/unit-of-work.ts";
import type { ReachedList } from "../../kernel/access/accessible-list.ts";
import { viewLabel } from "../views/labels.ts";

type Marked = Label & { cardIds: bigint[] };

const marked = `SELECT la.*, array_agg(cl."cardId") AS "cardIds"
  FROM card_labels cl JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL
  WHERE cl."cardId" = ANY($1::bigint[]) GROUP BY la.id ORDER BY la.id`;
const mark = `INSERT INTO card_labels ("cardId", "labelId", "workspaceId", "createdAt")
  SELECT DISTINCT marks."cardId", marks."labelId", $3::bigint, $4::timestamptz
  FROM unnest($1::bigint[], $2::bigint[]) AS marks("cardId", "labelId")`;

/** Gives cards that go to another board its labels in place of the old one's: those of the same name and colour, made when they are not there. As many statements whatever the cards. */
export async function relabel(
  { caller, work }: { caller: Caller; work: Work<"label.created"> },
  cardIds: bigint[],
  board: ReachedList["board"],
): Promise<void> {
  const labels = await work.query<Marked>(marked, [cardIds]);
  await work.query(`DELETE FROM card_labels WHERE "cardId" = ANY($1::bigint[])`, [cardIds]);
  const [first] = labels;
  if (first === undefined) return;
  // Cards that arrive at the same moment must not make the same label twice.
  await work.lock("boards", [board.id]);
  const twins = await work.tx.label.findMany({
    where: { boardId: board.id, name: { in: labels.map(({ name }) => name) }, deletedAt: null },
    orderBy: { id: "desc" },
  });
  const carried = new Map(twins.map((label) => [look(label), label.id]));
  const missing = new Map(
    labels.filter((label) => !carried.has(look(label))).map((label) => [look(label), label]),
  );
  if (missing.size > 0) {
    await checkRoom(work, "labels", board.id, missing.size);
    const made = await work.tx.label.createManyAndReturn({
      data: [...missing.values()].map(({ name, colourCode, workspaceId }) => ({
        publicId: publicId(),
        workspaceId,
        boardId: board.id,
        name,
        colourCode,
        createdById: caller.userId,
        createdAt: work.now,
        updatedAt: work.now,
      })),
    });
    for (const label of made) {
      carried.set(look(label), label.id);
      work.emit("label.created", { label: viewLabel(label), board });
    }
  }
  const marks = labels.flatMap((label) =>
    label.cardIds.map((cardId) => [cardId, carried.get(look(label)) ?? 0n] as const),
  );
  await work.query(mark, [
    marks.map(([cardId]) => cardId),
    marks.map(([, labelId]) => labelId),
    first.workspaceId,
    work.now,
  ]);
}

/** What makes two labels of different boards the same. */
const look = ({ name, colourCode }: Pick<Label, "name" | "colourCode">) =>
  JSON.stringify([name, colourCode?.toLowerCase()]);
