import { z } from "zod";
import { idOf } from "../vocabulary/ids.ts";
import {
  AuthorName,
  CommentText,
  CreatedAt,
  MemberName,
  UpdatedAt,
  Version,
} from "../fields/shared.ts";
import { MemberRef } from "./members.ts";
import { sourceFamilies } from "../vocabulary/import-sources.ts";
import { Timestamp, PublicId, text } from "../vocabulary/texts.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";
import type { Part } from "../fields/part.ts";

/** The author of an imported comment, as its source names them. */
const ImportedAuthor = z
  .object({
    name: MemberName,
    source: z
      .enum(sourceFamilies)
      .meta({ id: "ImportedFrom", description: "The service that a comment comes from." }),
    member: MemberRef.nullable().meta({ description: "The member." }),
  })
  .meta({
    id: "ImportedAuthor",
    description: "The author of an imported comment, as its source names them.",
  });

/** A comment of a card, in Markdown. */
export const Comment = viewedWith(
  "comment:view",
  z
    .object({
      publicId: idOf("comment"),
      comment: CommentText,
      author: MemberRef.nullable().meta({
        description:
          "The author as a member of the workspace; null for authors who are not members.",
      }),
      authorName: AuthorName,
      importedAuthor: ImportedAuthor.nullable().meta({
        description:
          "The author of an imported comment: a name at its source, and the member that the " +
          "person was mapped to. The comment belongs to no account.",
      }),
      isEdited: z
        .boolean()
        .meta({ description: "Whether the text was changed after its creation." }),
      version: Version,
      createdAt: CreatedAt,
      updatedAt: UpdatedAt,
    })
    .meta({ id: "Comment", description: "A comment of a card." }),
);

/** A comment with its card. */
export const CommentDetail = viewedWith(
  "comment:view",
  Comment.extend({ cardPublicId: idOf("card") }).meta({
    id: "CommentDetail",
    description: "A comment with its card.",
  }),
);

const commentCount = viewedWith(
  "comment:view",
  z.int().meta({
    description: "The number of comments. 0 for callers without `comment:view`.",
    examples: [0],
  }),
);

const PublicComment = z.object({
  comment: CommentText,
  authorName: AuthorName,
  createdAt: CreatedAt,
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
  public: { comments: z.array(PublicComment).meta({ description: "The comments." }) },
  stored: { comments: z.array(StoredComment) },
  counted: ["comments"],
  lines: { comment: viewedWith("comment:view", CommentLine) },
  selected: "the comments of cards",
  copied: {
    what: "the comments",
    by: "withComments",
    also: "copyComments",
    isDefault: false,
    needs: "comment:view",
  },
} as const satisfies Part;
