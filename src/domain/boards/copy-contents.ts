import { publicId } from "../../platform/db/public-id.ts";
import type { Limits } from "../../contract/limits.ts";
import { checkCount } from "../../kernel/limits.ts";
import { mostCopied } from "../../kernel/events/copied-rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { checkQuota } from "../attachments/quota.ts";
import { insertCards } from "../cards/insert.ts";
import { contents, insertCardLabels, insertCopies, type CopiedKind } from "./copy-sql.ts";

type Row = {
  kind: CopiedKind | "card" | "cardLabel";
  id: bigint;
  parent: bigint;
  position: string;
  /** The bytes of its texts. */
  bytes: number;
  fileBytes: number;
};
type Ids = Map<bigint, bigint>;
/** The new board, as every row of the copy refers to it. */
type Copy = { workspaceId: bigint; boardId: bigint; createdById: bigint };
type Tx = Pick<UnitOfWork, "query" | "lock" | "limits" | "now" | "allowLongStatements" | "copied">;
/** Whether the attachments are copied too, and the quota of the workspace for them in MiB. */
type Files = { withAttachments: boolean; quota: number };

/** Copies the lists, labels, cards and what is on them from a board to a new one, in their order. */
export async function copyContents(
  tx: Tx,
  sourceId: bigint,
  copy: Copy,
  { withAttachments, quota }: Files,
): Promise<void> {
  await tx.allowLongStatements();
  const rows = await tx.query<Row>(contents(sourceId, mostCopied + 1, withAttachments));
  await tx.copied.add(rows);
  if (withAttachments) {
    const bytes = rows.reduce((sum, { fileBytes }) => sum + fileBytes, 0);
    await checkQuota(tx, copy.workspaceId, quota, bytes);
    await tx.copied.addFile(bytes);
  }
  checkLimits(rows, tx.limits);
  const boards = new Map([[sourceId, copy.boardId]]);
  const lists = await copyRows(tx, rows, "list", boards, copy);
  const labels = await copyRows(tx, rows, "label", boards, copy);
  const cards = await copyCards(tx, rows, lists, copy);
  const pairs = rows.filter(({ kind }) => kind === "cardLabel");
  const cardIds = pairs.map(({ parent }) => cards.get(parent) ?? null);
  const labelIds = pairs.map(({ id }) => labels.get(id) ?? null);
  const { workspaceId } = copy;
  await tx.query(insertCardLabels({ cardIds, labelIds }, { workspaceId, now: tx.now }));
  const checklists = await copyRows(tx, rows, "checklist", cards, copy);
  await copyRows(tx, rows, "item", checklists, copy);
  await copyRows(tx, rows, "attachment", cards, copy);
}

/** Copies the rows of one kind under the copies of their parents; answers new ids by old ones. */
async function copyRows(
  { query, now }: Pick<Tx, "query" | "now">,
  rows: Row[],
  kind: CopiedKind,
  parents: Ids,
  { workspaceId, createdById }: Copy,
): Promise<Ids> {
  const sources = rows.filter((row) => row.kind === kind);
  const newIds: Ids = new Map();
  for (const page of pagesOf(sources)) {
    const ids = new Map(page.map(({ id }) => [publicId(), id]));
    const copies = await query<{ id: bigint; publicId: string }>(
      insertCopies(kind, {
        ids: [...ids.values()],
        publicIds: [...ids.keys()],
        parents: page.map(({ parent }) => parents.get(parent) ?? null),
        positions: page.map(({ position }) => position),
        workspaceId,
        createdById,
        now,
      }),
    );
    for (const row of copies) newIds.set(ids.get(row.publicId) ?? 0n, row.id);
  }
  return newIds;
}

/** How many rows one statement inserts: between two, others are answered. */
const pageSize = 5_000;

const pagesOf = (rows: Row[]) =>
  Array.from({ length: Math.ceil(rows.length / pageSize) }, (_, nth) =>
    rows.slice(nth * pageSize, (nth + 1) * pageSize),
  );

async function copyCards(tx: Tx, rows: Row[], lists: Ids, copy: Copy): Promise<Ids> {
  const sources = rows.filter(({ kind }) => kind === "card");
  const copies = await insertCards(
    tx,
    copy,
    sources.map(({ id, parent, position }) => ({
      boardId: copy.boardId,
      listId: lists.get(parent) ?? 0n,
      position,
      copyOf: id,
    })),
  );
  return new Map(copies.map(({ id }, nth) => [sources[nth]?.id ?? 0n, id]));
}

/** 409 when the source exceeds a limit that was lowered since. */
function checkLimits(rows: Row[], limits: Limits) {
  const largest = (kind: Row["kind"], parentOf: (row: Row) => bigint) => {
    const counts = new Map<bigint, number>();
    for (const row of rows) {
      if (row.kind === kind) counts.set(parentOf(row), (counts.get(parentOf(row)) ?? 0) + 1);
    }
    return [...counts.values()].reduce((most, count) => Math.max(most, count), 0);
  };
  const board = () => 0n;
  const parent = (row: Row) => row.parent;
  checkCount(limits, "lists", largest("list", board));
  checkCount(limits, "labels", largest("label", board));
  checkCount(limits, "cards", largest("card", board));
  checkCount(limits, "checklists", largest("checklist", parent));
  checkCount(limits, "attachments", largest("attachment", parent));
  checkCount(limits, "checklist_items", largest("item", parent));
}
