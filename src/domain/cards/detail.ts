import type { z } from "zod";
import { viewAttachment, type AttachmentView } from "../views/attachments.ts";
import { viewChecklist, viewItem, type ItemView } from "../views/checklists.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { memberName } from "./relations-sql.ts";
import { viewCard } from "../views/cards.ts";
import { Card } from "../../contract/resources/cards.ts";
import { representation } from "../../kernel/procedures/representation.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

type CardDetail = z.infer<typeof Card>;

/** The parents of a card as its detail names them, and the caller. */
export type CardContext = {
  caller: { userId: bigint };
  workspace: { publicId: string; cardPrefix: string };
  board: { publicId: string };
  list: { publicId: string };
  deps: Pick<Deps, "baseUrl">;
};

/** What a card shows at most: checklist items by their bytes, and members. */
const maxItemBytes = 8 * 1024 * 1024;
const bytesPerItem = 200;
const maxMembers = 1_000;

const labels = (cardId: bigint) => sql`SELECT la."publicId", la.name, la."colourCode"
  FROM card_labels cl JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL
  WHERE cl."cardId" = ${cardId} ORDER BY la.name, la.id`;
const members = (cardId: bigint) => sql`SELECT m."publicId", ${memberName} AS name, u.image
  FROM card_members cm JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
    LEFT JOIN users u ON u.id = m."userId"
  WHERE cm."cardId" = ${cardId} ORDER BY 2, m.id LIMIT ${sql.number(maxMembers)}`;
// A checklist whose items are all left out has one row, without an item.
const items = (cardId: bigint) => sql`SELECT "checklistPublicId", name, "checklistVersion",
    "itemCount", CASE WHEN bytes <= ${sql.number(maxItemBytes)} THEN "publicId" END AS "publicId",
    title, "completedAt", "dueDate", version, "memberPublicId"
  FROM (
    SELECT ch."publicId" AS "checklistPublicId", ch.name, ch.version AS "checklistVersion",
      i."publicId", i.title, i."completedAt", i."dueDate", i.version,
      m."publicId" AS "memberPublicId", count(i.id) OVER (PARTITION BY ch.id) AS "itemCount",
      row_number() OVER (PARTITION BY ch.id ORDER BY i.position, i.id) AS nth,
      sum(${sql.number(bytesPerItem)} + octet_length(coalesce(i.title, ''))) OVER parts AS bytes
    FROM checklists ch
      LEFT JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL
      LEFT JOIN members m ON m.id = i."memberId"
    WHERE ch."cardId" = ${cardId} AND ch."deletedAt" IS NULL
    WINDOW parts AS (ORDER BY ch.position, ch.id, i.position, i.id)
    ORDER BY ch.position, ch.id, i.position, i.id) parts
  WHERE nth = 1 OR bytes <= ${sql.number(maxItemBytes)}`;
const attachments = (
  cardId: bigint,
) => sql`SELECT "publicId", kind, filename, "contentType", size, url, version,
    "createdAt"
  FROM attachments WHERE "cardId" = ${cardId} AND "deletedAt" IS NULL AND status = 'stored'
  ORDER BY "createdAt", id`;
const array = (rows: Sql) => sql`(SELECT coalesce(json_agg(x), '[]') FROM (${rows}) x)`;
const statement = ({ id, listId, position }: CardRow, userId: bigint) => sql`
  SELECT ${array(labels(id))} AS labels, ${array(members(id))} AS members,
    ${array(items(id))} AS items, ${array(attachments(id))} AS attachments,
    EXISTS (SELECT 1 FROM card_watchers
      WHERE "cardId" = ${id} AND "userId" = ${userId}) AS "isWatching",
    (SELECT count(*)::int FROM comments
      WHERE "cardId" = ${id} AND "deletedAt" IS NULL) AS comments,
    (SELECT count(*)::int FROM cards WHERE "listId" = ${listId} AND "deletedAt" IS NULL
      AND "archivedAt" IS NULL AND position < ${position}) AS before`;

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
type Row = Pick<CardDetail, "labels" | "members" | "isWatching"> & {
  items: ItemRow[];
  attachments: Json<AttachmentView>[];
  comments: number;
  before: number;
};

/** A card with its labels, members, checklists and attachments, in one query. */
export async function cardDetail(
  query: Query,
  card: CardRow,
  { caller, workspace, board, list, deps }: CardContext,
): Promise<CardDetail> {
  const [row] = await query<Row>(statement(card, caller.userId));
  if (row === undefined) throw new Error("The query returned no row.");
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
    labels: row.labels,
    members: row.members,
    checklists: checklistsOf(row.items),
    attachments: files,
    commentCount: row.comments,
    attachmentCount: files.length,
    isWatching: row.isWatching,
  };
}

/** The detail of a new card without relations. */
export const plainCardDetail = (
  card: CardRow,
  index: number,
  { workspace, board, list }: Omit<CardContext, "deps">,
): CardDetail => ({
  ...viewCard(card, workspace.cardPrefix),
  index: card.archivedAt === null ? index : null,
  listPublicId: list.publicId,
  boardPublicId: board.publicId,
  workspacePublicId: workspace.publicId,
  labels: [],
  members: [],
  checklists: [],
  attachments: [],
  commentCount: 0,
  attachmentCount: 0,
  isWatching: false,
});

/** The representation of a card after a write. */
export const cardRepresentation = representation("card", Card, (query, written) =>
  cardDetail(query, written.card, written),
);

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
