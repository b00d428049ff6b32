import { memberName } from "../../kernel/access/member-name.ts";
import { isoText } from "../../platform/db/iso-text.ts";
import type { Comment as CommentRow } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { indexComments } from "../search/index-stored.ts";
import { showAuthor, unknownAuthor } from "../presenters/comments.ts";
import type { Part, RowsPart } from "./part.ts";
import type { OnCard } from "./rows-sql.ts";

const from = sql`comments co`;
const isOn = (cardId: Sql) => sql`co."cardId" = ${cardId} AND co."deletedAt" IS NULL`;

/** An author, as comments show members. */
type Author = { publicId: string; name: string; image: string | null };
type Row = OnCard &
  Pick<CommentRow, "authorName" | "importSource" | "version"> & {
    createdById: string | null;
    /** The author, or the member that the imported author is. */
    member: Author | null;
    memberPublicId: string | null;
    /** The name that exports have: of removed members, and of none whose account is deleted. */
    knownName: string | null;
    accountName: string | null;
  };

/** Oldest first. */
const rows: RowsPart<
  Row,
  Omit<Row, "authorName"> & { authorName: string; rowName: string | null }
> = {
  kind: "comment",
  columns: sql`co."publicId", co.comment, co.version, co."createdById"::text AS "createdById",
    co."workspaceId", co."authorName", co."importSource", co."importAuthorId",
    ${isoText(sql`co."createdAt"`)} AS "createdAt", ${isoText(sql`co."updatedAt"`)} AS "updatedAt"`,
  from,
  isOn,
  first: sql`co."createdAt"`,
  second: sql`co.id`,
  start: ["-infinity", 0n],
  joined: {
    columns: sql`um."publicId" AS "memberPublicId",
      CASE WHEN m.id IS NOT NULL THEN json_build_object('publicId', m."publicId",
        'name', ${memberName}, 'image', u.image) END AS member,
      coalesce(CASE WHEN um.id IS NOT NULL THEN a.name END, page."authorName",
        CASE WHEN a."deletedAt" IS NULL THEN a.name END) AS "knownName",
      CASE WHEN a."deletedAt" IS NULL THEN a.name END AS "accountName"`,
    from: sql`LEFT JOIN users a ON a.id = page."createdById"::bigint
      LEFT JOIN members um ON um."userId" = a.id AND um."workspaceId" = page."workspaceId"
        AND um.status <> 'removed'
      LEFT JOIN imported_people p ON p."workspaceId" = page."workspaceId"
        AND p.source = page."importSource" AND p."sourceId" = page."importAuthorId"
      LEFT JOIN members m ON m.status <> 'removed' AND m."workspaceId" = page."workspaceId"
        AND m.id = CASE WHEN page."importSource" IS NULL THEN um.id ELSE p."memberId" END
      LEFT JOIN users u ON u.id = m."userId"`,
  },
  textBytes: sql`octet_length(co.comment)`,
  latest: 50,
  things: (commentRows) =>
    commentRows.map((row) => ({
      ...row,
      ...showAuthor(row, row.member),
      rowName: row.authorName,
      isEdited: row.version > 1,
    })),
  stored: ({ knownName, memberPublicId, ...comment }) => ({
    ...comment,
    author: { name: knownName, memberPublicId },
  }),
  public: (comments) =>
    comments.map(({ accountName, rowName, ...comment }) => ({
      ...comment,
      authorName: accountName ?? rowName ?? unknownAuthor,
    })),
  userOf: ({ createdById }) => createdById,
};

/** The comments on a card. */
export const comments = {
  from,
  isOn,
  summary: { count: ({ commentCount }) => ({ commentCount }) },
  kept: {
    columns: { commentCount: sql`count(*)::int` },
    from,
    isOn,
    isChangedBy: ({ type }) => type.startsWith("comment."),
  },
  rows,
  csv: { columns: ["comments"], needs: "comment:view" },
  copied: [
    {
      table: "comments",
      alias: "co",
      // With their authors and times.
      columns: `comment createdById authorName importSource importAuthorId version createdAt
        updatedAt`.split(/\s+/),
      texts: ["comment"],
      complete: indexComments,
    },
  ],
} satisfies Part;
