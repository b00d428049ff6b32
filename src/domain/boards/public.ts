import { z } from "zod";
import {
  AuthorName,
  BoardDescription,
  BoardName,
  BoardSlug,
  ChecklistName,
  CommentText,
  CreatedAt,
  DueDate,
  ItemTitle,
  LabelName,
  ListName,
  WorkspaceNameText,
} from "../../contract/fields/shared.ts";
import type { Query } from "../../platform/db/query.ts";
import { cardFields } from "../../contract/fields/card.ts";
import { fieldsIn, shownIn } from "../../contract/fields/field.ts";
import { iso } from "../../contract/vocabulary/fields.ts";
import { ChecklistItem } from "../../contract/resources/checklists.ts";
import { unknownAuthor } from "../views/comments.ts";
import { isSelected, type CardSelection } from "../cards/filters.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { columnsOf, showIn } from "../fields.ts";

const PublicLabel = z.object({
  name: LabelName,
  colourCode: z
    .string()
    .nullable()
    .meta({ description: "The colour as `#rrggbb`.", examples: ["#d73a4a"] }),
});

const PublicCard = z
  .object({
    ...shownIn(cardFields, "public"),
    labels: z.array(PublicLabel).meta({ description: "The labels." }),
    checklists: z
      .array(
        z.object({
          name: ChecklistName,
          items: z
            .array(
              z.object({
                title: ItemTitle,
                isComplete: ChecklistItem.shape.isComplete,
                completed: ChecklistItem.shape.completed,
                dueDate: DueDate,
              }),
            )
            .meta({ description: "The titles of the items, in order." }),
        }),
      )
      .meta({ description: "The checklists, in order." }),
    comments: z
      .array(z.object({ comment: CommentText, authorName: AuthorName, createdAt: CreatedAt }))
      .meta({ description: "The comments." }),
  })
  .meta({ id: "PublicCard", description: "A card of a public board." });

/** A public board: texts without ids, email addresses and attachments. */
export const PublicBoard = z
  .object({
    name: BoardName,
    description: BoardDescription,
    slug: BoardSlug,
    workspaceName: WorkspaceNameText,
    labels: z.array(PublicLabel).meta({ description: "The labels of the board." }),
    lists: z
      .array(
        z
          .object({
            name: ListName,
            cards: z.array(PublicCard).meta({ description: "The cards, in order." }),
          })
          .meta({
            id: "PublicList",
            description: "A list of a public board, with its cards in order.",
          }),
      )
      .meta({ description: "The lists, in order." }),
  })
  .meta({
    id: "PublicBoard",
    description: "A public board: texts without ids, email addresses and attachments.",
  });

type List = z.infer<typeof PublicBoard>["lists"][number];
type Card = z.infer<typeof PublicCard>;
type Parts = Pick<Card, "labels" | "checklists"> & {
  comments: (Card["comments"][number] & { authorId: string | null })[];
};
type Row = Parts & Pick<CardRow, "listId"> & { prefix: string };

/** The number of comments shown per card: the latest. */
const maxComments = 50;

const list = (element: Sql, from: Sql, order: Sql) =>
  sql`coalesce((SELECT json_agg(${element} ORDER BY ${order}) FROM ${from}), '[]')`;
const label = sql`json_build_object('name', la.name, 'colourCode', la."colourCode")`;
const labels = list(
  label,
  sql`card_labels cl JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL
   WHERE cl."cardId" = c.id`,
  sql`la.name, la.id`,
);
const items = list(
  sql`json_build_object('title', i.title, 'isComplete', i."completedAt" IS NOT NULL,
    'completed', i."completedAt" IS NOT NULL,
    'dueDate', i."dueDate")`,
  sql`checklist_items i WHERE i."checklistId" = ch.id AND i."deletedAt" IS NULL`,
  sql`i.position`,
);
const checklists = list(
  sql`json_build_object('name', ch.name, 'items', ${items})`,
  sql`checklists ch WHERE ch."cardId" = c.id AND ch."deletedAt" IS NULL`,
  sql`ch.position`,
);
const comments = list(
  sql`json_build_object('comment', co.comment, 'authorName', co.author, 'createdAt',
    co."createdAt", 'authorId', co."createdById"::text)`,
  sql`(SELECT co.id, co.comment, co."createdAt", co."createdById",
      coalesce(u.name, co."authorName", ${unknownAuthor}) AS author
    FROM comments co LEFT JOIN users u ON u.id = co."createdById" AND u."deletedAt" IS NULL
    WHERE co."cardId" = c.id AND co."deletedAt" IS NULL
    ORDER BY co."createdAt" DESC, co.id DESC LIMIT ${sql.number(maxComments)}) co`,
  sql`co."createdAt", co.id`,
);
const latestComments = sql`(SELECT sum(octet_length(latest.comment)) FROM (
    SELECT co.comment FROM comments co WHERE co."cardId" = c.id AND co."deletedAt" IS NULL
    ORDER BY co."createdAt" DESC, co.id DESC LIMIT ${sql.number(maxComments)}) latest)`;
const itemBytes = sql`(SELECT sum(100 + octet_length(i.title)) FROM checklists ch
    JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL
    WHERE ch."cardId" = c.id AND ch."deletedAt" IS NULL)`;
const labelBytes = sql`(SELECT count(*) * 200 FROM card_labels cl WHERE cl."cardId" = c.id)`;
const bytes = sql`300 + octet_length(c.title) + coalesce(octet_length(c.description), 0)
  + coalesce(${latestComments}, 0) + coalesce(${itemBytes}, 0) + ${labelBytes}`;
/** The most cards and bytes in one answer: the first cards of each list. */
const maxCards = 1_000;
const maxBytes = 4 * 1024 * 1024;
const cards = (selected: Sql, cardLimit: number) => sql`
  SELECT c."listId", w."cardPrefix" AS prefix, ${columnsOf(fieldsIn(cardFields, "public"), "c")},
    ${labels} AS labels, ${checklists} AS checklists, ${comments} AS comments
  FROM (SELECT first.id, sum(${bytes}) OVER (ORDER BY first.nth, c."listId") AS bytes
    FROM (SELECT c.id, row_number() OVER (PARTITION BY c."listId" ORDER BY c.position) AS nth
      FROM cards c JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
      WHERE ${selected}
      ORDER BY nth, c."listId" LIMIT ${sql.number(maxCards)}) first
    JOIN cards c ON c.id = first.id WHERE first.nth <= ${cardLimit}) shown
  JOIN cards c ON c.id = shown.id JOIN workspaces w ON w.id = c."workspaceId"
  WHERE shown.bytes <= ${sql.number(maxBytes)} ORDER BY c.position`;
const lists = (boardId: bigint) => sql`SELECT id, name FROM lists
  WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL AND "archivedAt" IS NULL ORDER BY position`;
const boardLabels = (boardId: bigint) => sql`SELECT name, "colourCode" FROM labels la
  WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL ORDER BY name, id`;

/** The lists and labels of a public board, and the ids of its authors, in three queries. */
export async function publicContents(
  query: Query,
  boardId: bigint,
  selection: CardSelection,
  cardLimit: number,
) {
  const [listRows, labelRows, cardRows] = await Promise.all([
    query<{ id: bigint; name: string }>(lists(boardId)),
    query<z.infer<typeof PublicLabel>>(boardLabels(boardId)),
    query<Row>(cards(isSelected(boardId, selection), cardLimit)),
  ]);
  const byList = new Map(listRows.map(({ id, name }): [bigint, List] => [id, { name, cards: [] }]));
  for (const row of cardRows) byList.get(row.listId)?.cards.push(show(row));
  const shown = cardRows.flatMap(({ comments: some }) => some);
  const authorIds = new Set(shown.flatMap(({ authorId }) => authorId ?? []));
  const contents = { labels: labelRows, lists: [...byList.values()] };
  return { contents, authorIds: [...authorIds].map(BigInt) };
}

const fieldsOf = showIn(cardFields, "public");

const show = (row: Row): Card => ({
  ...fieldsOf(row, row.prefix),
  labels: row.labels,
  checklists: row.checklists.map(({ name, items: rows }) => ({
    name,
    items: rows.map((item) => ({ ...item, dueDate: item.dueDate && isoOf(item.dueDate) })),
  })),
  comments: row.comments.map(({ comment, authorName, createdAt }) => ({
    comment,
    authorName,
    createdAt: isoOf(createdAt),
  })),
});

// PostgreSQL's JSON has another format for times.
const isoOf = (time: string) => iso(new Date(time));
