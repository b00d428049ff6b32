import type { Comment as CommentRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { MemberRef } from "../../contract/resources/members.ts";
import type { Comment } from "../../contract/resources/comments.ts";
import { iso } from "../../contract/vocabulary/fields.ts";

/** The author of a comment whose account is deleted. */
export const unknownAuthor = "Deleted user";

/** The view of a comment; `author` is null for authors who are not members. */
export const viewComment = (
  comment: CommentRow,
  author: z.infer<typeof MemberRef> | null,
): z.infer<typeof Comment> => ({
  publicId: comment.publicId,
  comment: comment.comment,
  author,
  authorName: author?.name ?? comment.authorName ?? unknownAuthor,
  isEdited: comment.version > 1,
  version: comment.version,
  createdAt: iso(comment.createdAt),
  updatedAt: iso(comment.updatedAt),
});
