import { boardFields } from "../../contract/fields/board.ts";
import { newIn } from "../declared-fields.ts";
import { insertRows } from "../../platform/db/insert-rows.ts";
import type { Board } from "../../platform/db/rows.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { conflict } from "../../platform/errors.ts";
import { indexTexts, textOfBoard } from "../search/index-texts.ts";
import { hiddenSlugsFor, isHiddenSlugFor, slugsFor } from "../slugs.ts";

type Owner = { workspaceId: bigint; createdById: bigint | null };

const columnsOfNew = newIn(boardFields, "create", "export");

/** The given columns of a new board, and the slugs to try: by default those for its name. */
type NewBoard = Parameters<typeof columnsOfNew>[0] &
  Pick<Board, "publicId" | "name"> &
  Partial<Pick<Board, "createdAt" | "updatedAt">> & { slugs?: string[] };

const unlessTaken = sql`ON CONFLICT DO NOTHING RETURNING *`;

/** Inserts a board under the first free slug; that of a restricted board has a suffix. */
export async function insertBoard(tx: UnitOfWork, owner: Owner, input: NewBoard): Promise<Board> {
  const { publicId: id, name, visibility, createdAt = tx.now, updatedAt = tx.now } = input;
  const fields = { ...columnsOfNew(input), createdAt, updatedAt };
  const { slugs: candidates = slugsFor(name) } = input;
  const [first = name] = candidates;
  const isPlain = visibility === "restricted" && !isHiddenSlugFor(name, first);
  const slugs = isPlain ? hiddenSlugsFor(first) : candidates;
  for (const slug of slugs) {
    const row = { ...owner, publicId: id, ...fields, slug };
    const [board] = await insertRows<Board>(tx.query, "boards", [row], unlessTaken);
    if (board === undefined) continue;
    indexTexts(tx.query, owner, [textOfBoard(board)]);
    return board;
  }
  throw conflict(
    "no_free_slug",
    "No free slug found for the name. Try again or use another name.",
    ["name"],
  );
}

type Parent = Owner & { boardId: bigint };

/** Inserts the labels of a new board. */
export async function insertLabels(
  tx: UnitOfWork,
  parent: Parent,
  labels: { name: string; colourCode: string }[],
): Promise<void> {
  const rows = labels.map(({ name, colourCode }) => ({
    ...parent,
    name,
    colourCode,
    publicId: publicId(),
    createdAt: tx.now,
    updatedAt: tx.now,
  }));
  await insertRows(tx.query, "labels", rows);
}
