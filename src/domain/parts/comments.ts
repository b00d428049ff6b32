import { iso } from "../../contract/vocabulary/fields.ts";
import type { Comment } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { authorsOf } from "../comments/author.ts";
import { unknownAuthor, showComment } from "../shown/comments.ts";
import type { Part, RowsPart } from "./part.ts";
import { cardRef, jsonList, onCards, type OnCard } from "./rows-sql.ts";

const from = sql`comments co`;
const isOn = (cardId: Sql) => sql`co."cardId" = ${cardId} AND co."deletedAt" IS NULL`;

/** The number of comments that a public board shows per card: the latest. */
const maxPublic = 50;
const latest = (columns: Sql, joins = sql.empty) => sql`(SELECT ${columns} FROM comments co ${joins}
  WHERE ${isOn(sql`c.id`)} ORDER BY co."createdAt" DESC, co.id DESC LIMIT ${sql.number(maxPublic)})`;

type PublicComment = {
  comment: string;
  authorName: string;
  createdAt: string;
  authorId: string | null;
};

type Row = OnCard & Comment & { memberPublicId: string | null; knownName: string | null };

/** Oldest first. Removed members are named; deleted accounts are not. */
const rows: RowsPart<Row, "comment"> = {
  statement: onCards({
    columns: sql`co.*`,
    from,
    where: isOn(cardRef),
    first: sql`co."createdAt"`,
    second: sql`co.id`,
    joined: {
      columns: sql`m."publicId" AS "memberPublicId",
        coalesce(CASE WHEN m.id IS NOT NULL THEN u.name END, page."authorName",
          CASE WHEN u."deletedAt" IS NULL THEN u.name END) AS "knownName"`,
      from: sql`LEFT JOIN users u ON u.id = page."createdById"
        LEFT JOIN members m ON m."userId" = u.id AND m."workspaceId" = page."workspaceId"
          AND m.status <> 'removed'`,
    },
  }),
  start: ["-infinity", 0n],
  stored: (commentRows) =>
    commentRows.map((row) => ({
      publicId: row.publicId,
      comment: row.comment,
      author: { name: row.knownName, memberPublicId: row.memberPublicId },
      isEdited: row.version > 1,
      createdAt: iso(row.createdAt),
      updatedAt: iso(row.updatedAt),
    })),
  kind: "comment",
  async lines(commentRows, { query, workspaceId, cardOf }) {
    const authorOf = await authorsOf(query, workspaceId, commentRows);
    return commentRows.map((row) => ({
      ...showComment(row, authorOf(row)),
      cardPublicId: cardOf(row),
    }));
  },
};

/** The comments on a card. */
export const comments = {
  from,
  isOn,
  summary: {
    total: sql`count(*)`,
    count: (commentCount) => ({ commentCount }),
  },
  public: {
    field: "comments",
    column: jsonList(
      sql`json_build_object('comment', co.comment, 'authorName', co.author, 'createdAt',
        co."createdAt", 'authorId', co."createdById"::text)`,
      sql`${latest(
        sql`co.id, co.comment, co."createdAt", co."createdById",
          coalesce(u.name, co."authorName", ${unknownAuthor}) AS author`,
        sql`LEFT JOIN users u ON u.id = co."createdById" AND u."deletedAt" IS NULL`,
      )} co`,
      sql`co."createdAt", co.id`,
    ),
    bytes: sql`(SELECT sum(octet_length(latest.comment)) FROM ${latest(sql`co.comment`)} latest)`,
    show: (publicComments: PublicComment[]) =>
      publicComments.map(({ comment, authorName, createdAt }) => ({
        comment,
        authorName,
        createdAt: iso(new Date(createdAt)),
      })),
    users: (publicComments: PublicComment[]) => publicComments.map(({ authorId }) => authorId),
  },
  csv: { columns: ["comments"], needs: "comment:view" },
  copied: [
    {
      table: "comments",
      alias: "co",
      // With their authors and times.
      columns: `comment createdById authorName importSource importAuthorId version createdAt
        updatedAt`.split(/\s+/),
      texts: ["comment"],
    },
  ],
  exported: { rows },
} satisfies Part;
