import { z } from "zod";
import { MemberRef } from "./members.ts";
import { sourceFamilies } from "../vocabulary/import-sources.ts";
import { Timestamp, PublicId, text } from "../vocabulary/fields.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";
import type { Part } from "../fields/part.ts";

/** The author of an imported comment, as its source names them. */
const ImportedAuthor = z
  .object({
    name: z.string(),
    source: z.enum(sourceFamilies),
    member: MemberRef.nullable(),
  })
  .meta({ id: "ImportedAuthor" });

/** A comment of a card, in Markdown. */
export const Comment = viewedWith(
  "comment:view",
  z
    .object({
      publicId: z.string(),
      comment: z.string(),
      author: MemberRef.nullable().meta({
        description:
          "The author as a member of the workspace; null for authors who are not members.",
      }),
      authorName: z.string(),
      importedAuthor: ImportedAuthor.nullable().meta({
        description:
          "The author of an imported comment: a name at its source, and the member that the " +
          "person was mapped to. The comment belongs to no account.",
      }),
      isEdited: z.boolean(),
      version: z.int(),
      createdAt: Timestamp,
      updatedAt: Timestamp,
    })
    .meta({ id: "Comment" }),
);

/** A comment with its card. */
export const CommentDetail = viewedWith(
  "comment:view",
  Comment.extend({ cardPublicId: z.string() }).meta({ id: "CommentDetail" }),
);

const commentCount = viewedWith(
  "comment:view",
  z.int().meta({ description: "The number of comments. 0 for callers without `comment:view`." }),
);

const PublicComment = z.object({
  comment: z.string(),
  authorName: z.string(),
  createdAt: Timestamp,
});

const CommentLine = Comment.extend({ cardPublicId: z.string() });

/** `author` has a name where it is known, and a `memberPublicId` while they are a member. */
const StoredComment = z.strictObject({
  publicId: PublicId,
  comment: text(1, 20_000),
  author: z.strictObject({
    name: z.string().max(1_000).nullable(),
    memberPublicId: PublicId.nullable(),
  }),
  isEdited: z.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** The comments on a card. */
export const commentsPart = {
  tables: { comments: { counted: "comments", kind: "comment" } },
  summary: { commentCount },
  detail: { commentCount },
  public: { comments: z.array(PublicComment) },
  stored: { comments: z.array(StoredComment) },
  counted: ["comments"],
  lines: { comment: viewedWith("comment:view", CommentLine) },
  selected: "the comments of cards",
  copied: { by: "withComments", also: "copyComments", isDefault: false, needs: "comment:view" },
} as const satisfies Part;
