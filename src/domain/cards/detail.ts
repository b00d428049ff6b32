import type { z } from "zod";
import { viewAttachment, type AttachmentView } from "../views/attachments.ts";
import { viewChecklist, viewItem, type ItemView } from "../views/checklists.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { memberName } from "./summaries.ts";
import { viewCard } from "../views/cards.ts";
import type { Card } from "../../contract/resources/cards.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

type Whole = z.infer<typeof Card>;

/** Where a card lies, by what its view shows, and who looks at it. */
export type Around = {
  caller: { userId: bigint };
  workspace: { publicId: string; cardPrefix: string };
  board: { publicId: string };
  list: { publicId: string };
  deps: Pick<Deps, "baseUrl">;
};

const array = (rows: Sql) => sql`(SELECT coalesce(json_agg(x), '[]') FROM (${rows}) x)`;
const labels = (cardId: bigint) => sql`SELECT la."publicId", la.name, la."colourCode"
  FROM card_labels cl JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL
  WHERE cl."cardId" = ${cardId} ORDER BY la.name, la.id`;
const members = (cardId: bigint) => sql`SELECT m."publicId", ${memberName} AS name, u.image
  FROM card_members cm JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
  LEFT JOIN users u ON u.id = m."userId"
  WHERE cm."cardId" = ${cardId} ORDER BY 2, m.id`;
const checklists = (cardId: bigint) => sql`
  SELECT ch."publicId" AS list, ch.name, ch.version AS "listVersion", i."publicId", i.title,
    i."completedAt", i."dueDate", i.version, m."publicId" AS "memberPublicId"
  FROM checklists ch
  LEFT JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL
  LEFT JOIN members m ON m.id = i."memberId"
  WHERE ch."cardId" = ${cardId} AND ch."deletedAt" IS NULL ORDER BY ch.position, i.position`;
const attachments = (cardId: bigint) => sql`
  SELECT "publicId", kind, filename, "contentType", size, url, version, "createdAt"
  FROM attachments WHERE "cardId" = ${cardId} AND "deletedAt" IS NULL AND status = 'stored'
  ORDER BY "createdAt", id`;
const statement = ({ id, listId, position }: CardRow, userId: bigint) => sql`
  SELECT ${array(labels(id))} AS labels, ${array(members(id))} AS members,
    ${array(checklists(id))} AS items, ${array(attachments(id))} AS attachments,
    EXISTS (SELECT 1 FROM card_watchers
      WHERE "cardId" = ${id} AND "userId" = ${userId}) AS "isWatching",
    (SELECT count(*)::int FROM comments
      WHERE "cardId" = ${id} AND "deletedAt" IS NULL) AS comments,
    (SELECT count(*)::int FROM cards WHERE "listId" = ${listId} AND "deletedAt" IS NULL
      AND "archivedAt" IS NULL AND position < ${position}) AS before`;

/** A row as JSON has it: a moment is text there. */
type Told<View> = {
  [Name in keyof View]: View[Name] extends Date | null
    ? Extract<View[Name], null> | string
    : View[Name];
};
type Item = { list: string; name: string; listVersion: number } & (
  | Told<ItemView>
  | { publicId: null }
);
type Row = Pick<Whole, "labels" | "members" | "isWatching"> & {
  items: Item[];
  attachments: Told<AttachmentView>[];
  comments: number;
  before: number;
};

/** A card with all that hangs on it, in one query. */
export async function cardDetail(query: Query, card: CardRow, around: Around): Promise<Whole> {
  const [row] = await query<Row>(statement(card, around.caller.userId));
  if (row === undefined) throw new Error("A query without a condition has a row.");
  const files = row.attachments.map((attachment) =>
    viewAttachment(
      { ...attachment, createdAt: new Date(attachment.createdAt) },
      `${around.deps.baseUrl}/api/v1`,
    ),
  );
  return {
    ...viewCard(card, around.workspace.cardPrefix),
    index: card.archivedAt === null ? row.before : null,
    listPublicId: around.list.publicId,
    boardPublicId: around.board.publicId,
    workspacePublicId: around.workspace.publicId,
    labels: row.labels,
    members: row.members,
    checklists: grouped(row.items),
    attachments: files,
    commentCount: row.comments,
    attachmentCount: files.length,
    isWatching: row.isWatching,
  };
}

/** A card that was made just now: whoever is on it watches it once that has been told, which is after this. */
export async function newCard(
  query: Query,
  card: CardRow,
  around: Around & { membership: { publicId: string } },
): Promise<Whole> {
  const whole = await cardDetail(query, card, around);
  const isWatching = whole.members.some(({ publicId }) => publicId === around.membership.publicId);
  return { ...whole, isWatching };
}

function grouped(items: Item[]): Whole["checklists"] {
  const lists = new Map<string, Whole["checklists"][number]>();
  for (const item of items) {
    const { list, name, listVersion } = item;
    const checklist = lists.get(list) ?? {
      ...viewChecklist({ publicId: list, name, version: listVersion }),
      items: [],
    };
    lists.set(list, checklist);
    if (item.publicId !== null) {
      const [completedAt, dueDate] = [dateOf(item.completedAt), dateOf(item.dueDate)];
      checklist.items.push(viewItem({ ...item, completedAt, dueDate }));
    }
  }
  return [...lists.values()];
}

const dateOf = (moment: string | null) => (moment === null ? null : new Date(moment));
