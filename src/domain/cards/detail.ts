import type { z } from "zod";
import { viewAttachment, type AttachmentView } from "../views/attachments.ts";
import { viewChecklist, viewItem, type ItemView } from "../views/checklists.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { relationsOf, smallItemBytes } from "./detail-sql.ts";
import { viewCard } from "../views/cards.ts";
import type { Card } from "../../contract/resources/cards.ts";
import type { ExtraRow } from "../../kernel/procedures/query.ts";
import { sql } from "../../platform/db/sql.ts";

type CardDetail = z.infer<typeof Card>;

/** The parents of a card as its detail names them, and the caller. */
export type CardContext = {
  caller: { userId: bigint };
  workspace: { publicId: string; cardPrefix: string };
  board: { publicId: string };
  list: { publicId: string };
  deps: Pick<Deps, "baseUrl">;
};

/** A row as JSON: dates are strings. */
type Json<View> = {
  [Name in keyof View]: View[Name] extends Date | null
    ? Extract<View[Name], null> | string
    : View[Name];
};
type ListRow = {
  checklistPublicId: string;
  name: string;
  checklistVersion: number;
  itemCount: number;
};
type ItemRow = ListRow & (Json<ItemView> | { publicId: null });
type Row = Pick<CardDetail, "labels" | "members" | "isWatching" | "claim"> & {
  items: ItemRow[];
  attachments: Json<AttachmentView>[];
  comments: number;
  before: number;
};

/** The relations of a card; the items of a large one are cut. */
export type CardRelations = Row;

/** The relations of a card, which are read with it: of many items, the first. */
export const cardRelations: ExtraRow<Row> = {
  select: () =>
    relationsOf(
      {
        id: sql`card.id`,
        userId: sql`caller."caller.userId"`,
      },
      { prefix: "extra.", itemBytes: smallItemBytes },
    ),
};

/** A card with its labels, members, checklists and attachments, in one query. */
export async function cardDetail(
  query: Query,
  card: CardRow,
  context: CardContext,
): Promise<CardDetail> {
  return detailOf(await readRelations(query, card, context), card, context);
}

/** The relations of a card: of many items, the first. */
export const smallRelations = (query: Query, card: CardRow, context: CardContext): Promise<Row> =>
  readRelations(query, card, context, smallItemBytes);

async function readRelations(
  query: Query,
  { id }: CardRow,
  { caller }: CardContext,
  itemBytes?: number,
): Promise<Row> {
  const ids = {
    id: sql`${id}`,
    userId: sql`${caller.userId}`,
  };
  const [row] = await query<Row>(relationsOf(ids, itemBytes === undefined ? {} : { itemBytes }));
  if (row === undefined) throw new Error("The query returned no row.");
  return row;
}

/** Whether the card has more items than were read. */
export function isCut({ items }: Pick<Row, "items">): boolean {
  let left = 0;
  let checklist: string | undefined;
  for (const { checklistPublicId, itemCount, publicId } of items) {
    if (checklistPublicId !== checklist) left += itemCount;
    checklist = checklistPublicId;
    if (publicId !== null) left--;
  }
  return left > 0;
}

/** A card as its detail shows it, from its relations. */
export function detailOf(
  row: Row,
  card: CardRow,
  { workspace, board, list, deps }: Omit<CardContext, "caller">,
): CardDetail {
  const api = `${deps.baseUrl}/api/v1`;
  const files = row.attachments.map((attachment) =>
    viewAttachment({ ...attachment, createdAt: new Date(attachment.createdAt) }, api),
  );
  return {
    ...viewCard(card, workspace.cardPrefix),
    index: card.archivedAt === null ? row.before : null,
    listPublicId: list.publicId,
    boardPublicId: board.publicId,
    workspacePublicId: workspace.publicId,
    claim: row.claim,
    labels: row.labels,
    members: row.members,
    checklists: checklistsOf(row.items),
    attachments: files,
    commentCount: row.comments,
    attachmentCount: files.length,
    isWatching: row.isWatching,
  };
}

/** The detail of a card whose pending events are all that changes it. */
export function changedCardDetail(
  tx: Pick<UnitOfWork, "query" | "pendingEvents">,
  card: CardRow,
  context: CardContext,
): Promise<CardDetail> {
  // Each event raises the version when it is written.
  const version = card.version + tx.pendingEvents.length;
  return cardDetail(tx.query, { ...card, version }, context);
}

/** The relations of a card that has none, at an index. */
const noRelations = (before: number): Row => ({
  labels: [],
  members: [],
  items: [],
  attachments: [],
  comments: 0,
  isWatching: false,
  claim: null,
  before,
});

/** The detail of a new card without relations: nothing is read for it. */
export const plainCardDetail = (card: CardRow & { index: number }, context: CardContext) =>
  detailOf(noRelations(card.index), card, context);

/** The detail of a new card. Its event, written at commit, subscribes its assignees. */
export async function newCardDetail(
  query: Query,
  card: CardRow,
  context: CardContext & { membership: { publicId: string } },
): Promise<CardDetail> {
  const detail = await cardDetail(query, card, context);
  const { publicId } = context.membership;
  return { ...detail, isWatching: detail.members.some((member) => member.publicId === publicId) };
}

function checklistsOf(rows: ItemRow[]): CardDetail["checklists"] {
  const checklists = new Map<string, CardDetail["checklists"][number]>();
  for (const row of rows) {
    const { checklistPublicId: publicId, name, checklistVersion: version, itemCount } = row;
    const checklist = checklists.get(publicId) ?? {
      ...viewChecklist({ publicId, name, version }),
      itemCount,
      items: [],
    };
    checklists.set(publicId, checklist);
    if (row.publicId !== null) {
      const [completedAt, dueDate] = [dateOf(row.completedAt), dateOf(row.dueDate)];
      checklist.items.push(viewItem({ ...row, completedAt, dueDate }));
    }
  }
  return [...checklists.values()];
}

const dateOf = (moment: string | null) => (moment === null ? null : new Date(moment));
