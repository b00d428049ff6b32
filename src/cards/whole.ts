import type { z } from "zod";
import { viewAttachment, type AttachmentView } from "../attachments/view.ts";
import { viewChecklist, viewItem, type ItemView } from "../checklists/view.ts";
import type { Query } from "../db/database.ts";
import type { Card as CardRow } from "../db/rows.ts";
import type { Deps } from "../deps.ts";
import { memberName } from "./summaries.ts";
import { viewCard, type Card } from "./view.ts";

type Whole = z.infer<typeof Card>;

/** Where a card lies, by what its view shows. */
export type Around = {
  workspace: { publicId: string; cardPrefix: string };
  board: { publicId: string };
  list: { publicId: string };
  deps: Pick<Deps, "baseUrl">;
};

const labels = `SELECT la."publicId", la.name, la."colourCode"
  FROM card_labels cl JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL
  WHERE cl."cardId" = $1 ORDER BY la.name, la.id`;
const members = `SELECT m."publicId", ${memberName} AS name, u.image
  FROM card_members cm JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed' LEFT JOIN users u ON u.id = m."userId"
  WHERE cm."cardId" = $1 ORDER BY 2, m.id`;
const checklists = `SELECT ch."publicId" AS list, ch.name, ch.version AS "listVersion", i."publicId", i.title, i."completedAt",
    i."dueDate", i.version, m."publicId" AS "memberPublicId"
  FROM checklists ch LEFT JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL
  LEFT JOIN members m ON m.id = i."memberId"
  WHERE ch."cardId" = $1 AND ch."deletedAt" IS NULL ORDER BY ch.position, i.position`;
// The counts stand on every row: there is one, with nothing else on it, when nothing is attached.
const attachments = `SELECT a."publicId", a.kind, a.filename, a."contentType", a.size, a.url, a.version, a."createdAt",
    (SELECT count(*) FROM comments WHERE "cardId" = $1 AND "deletedAt" IS NULL) AS comments,
    (SELECT count(*) FROM cards WHERE "listId" = $2 AND "deletedAt" IS NULL AND "archivedAt" IS NULL AND position < $3) AS before
  FROM (SELECT 1) AS one LEFT JOIN attachments a ON a."cardId" = $1 AND a."deletedAt" IS NULL AND a.status = 'stored'
  ORDER BY a."createdAt", a.id`;

type Item = ItemView & { list: string; name: string; listVersion: number };
type Nothing = { publicId: null };
type Attached = (AttachmentView | Nothing) & Record<"comments" | "before", bigint>;

/** A card with all that hangs on it, in four queries. */
export async function wholeCard(query: Query, card: CardRow, around: Around): Promise<Whole> {
  const [labelled, assigned, items, attached] = await Promise.all([
    query<Whole["labels"][number]>(labels, [card.id]),
    query<Whole["members"][number]>(members, [card.id]),
    query<Item | (Item & Nothing)>(checklists, [card.id]),
    query<Attached>(attachments, [card.id, card.listId, card.position]),
  ]);
  const [counted] = attached;
  const files = attached.flatMap((row) =>
    row.publicId === null ? [] : [viewAttachment(row, `${around.deps.baseUrl}/api/v1`)],
  );
  return {
    ...viewCard(card, around.workspace.cardPrefix),
    index: card.archivedAt === null ? Number(counted?.before ?? 0) : null,
    listPublicId: around.list.publicId,
    boardPublicId: around.board.publicId,
    workspacePublicId: around.workspace.publicId,
    labels: labelled,
    members: assigned,
    checklists: grouped(items),
    attachments: files,
    commentCount: Number(counted?.comments ?? 0),
    attachmentCount: files.length,
  };
}

function grouped(items: (Item | (Item & Nothing))[]): Whole["checklists"] {
  const lists = new Map<string, Whole["checklists"][number]>();
  for (const item of items) {
    const { list, name, listVersion } = item;
    const checklist = lists.get(list) ?? {
      ...viewChecklist({ publicId: list, name, version: listVersion }),
      items: [],
    };
    lists.set(list, checklist);
    if (item.publicId !== null) checklist.items.push(viewItem(item));
  }
  return [...lists.values()];
}
